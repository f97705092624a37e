"""arXiv's categories, needed where a source mixes them with classes of other schemes.

Source: arXiv's public category taxonomy, checked against the categories of real metadata. Closed archives are included,
as papers keep them; so are the bare archives that were categories once.
"""

import re

_SUBJECTS = {
    "astro-ph": "CO EP GA HE IM SR",
    "cond-mat": "dis-nn mes-hall mtrl-sci other quant-gas soft stat-mech str-el supr-con",
    "cs": """AI AR CC CE CG CL CR CV CY DB DC DL DM DS ET FL GL GR GT HC IR IT LG LO MA MM MS NA NE NI OH OS PF PL RO SC
        SD SE SI SY""",
    "econ": "EM GN TH",
    "eess": "AS IV SP SY",
    "math": """AC AG AP AT CA CO CT CV DG DS FA GM GN GR GT HO IT KT LO MG MP NA NT OA OC PR QA RA RT SG SP ST""",
    "nlin": "AO CD CG PS SI",
    "physics": """acc-ph ao-ph app-ph atm-clus atom-ph bio-ph chem-ph class-ph comp-ph data-an ed-ph flu-dyn gen-ph
        geo-ph hist-ph ins-det med-ph optics plasm-ph pop-ph soc-ph space-ph""",
    "q-bio": "BM CB GN MN NC OT PE QM SC TO",
    "q-fin": "CP EC GN MF PM PR RM ST TR",
    "stat": "AP CO ME ML OT TH",
}
"""Archives divided into subjects."""

_WHOLE = """gr-qc hep-ex hep-lat hep-ph hep-th math-ph nucl-ex nucl-th quant-ph
    astro-ph cond-mat q-bio
    acc-phys adap-org alg-geom ao-sci atom-ph bayes-an chao-dyn chem-ph cmp-lg comp-gas dg-ga funct-an mtrl-th patt-sol
    plasm-ph q-alg solv-int supr-con"""
"""Archives that are categories themselves: undivided ones, formerly undivided ones, closed ones."""

CATEGORIES = frozenset(
    [f"{archive}.{subject}" for archive, subjects in _SUBJECTS.items() for subject in subjects.split()] + _WHOLE.split()
)
"""Every category a paper can have."""

_LIKE = re.compile(rf"(?:{'|'.join(map(re.escape, _SUBJECTS))})\.[A-Za-z]+(?:-[a-z]+)*")


def looks_like_category(text: str) -> bool:
    """Whether `text` has the form of a category of a known archive, and so may be one newer than this table.

    >>> looks_like_category("cs.ZZ"), looks_like_category("81P05"), looks_like_category("I.2.9; J.3")
    (True, False, False)
    """
    return _LIKE.fullmatch(text) is not None
