"""Every deliberate error of pithid: one base, a stable `code`, attributes instead of templates.

The families answer the question a caller asks first: was the input malformed, is the thing unknown, do several
things match, or is the machine at fault? Command line and HTTP map a family, not a message, to a status.
"""


class PithError(Exception):
    """Base of all deliberate errors; `code` is stable, the message is for people and may change."""

    code = "error"


class Malformed(PithError, ValueError):
    """The input breaks a rule of its format; nothing of it was used."""

    code = "malformed"


class InvalidIdentifier(Malformed):
    """`text` is not a well-formed identifier of `kind`; `why` names the rule it breaks."""

    code = "invalid-identifier"

    def __init__(self, kind: str, text: str, why: str) -> None:
        shown = text if len(text) <= 80 else text[:77] + "..."
        super().__init__(f"{shown!r} is not a valid {kind}: {why}")
        self.kind, self.text, self.why = kind, text, why


class InvalidDocument(Malformed):
    """A JSON text or value breaks a rule at `path` (JSON path, `$` is the root); `rule` is a stable word."""

    code = "invalid-document"

    def __init__(self, rule: str, path: str, why: str) -> None:
        super().__init__(f"{why} at {path}")
        self.rule, self.path, self.why = rule, path, why


class InvalidRecord(Malformed):
    """A canonical record breaks the protocol at `path`."""

    code = "invalid-record"

    def __init__(self, path: str, why: str) -> None:
        super().__init__(f"{path}: {why}")
        self.path, self.why = path, why


class NotMintable(Malformed):
    """Metadata lacks or distorts what the canonical record needs; `field` says which part."""

    code = "not-mintable"

    def __init__(self, field: str, why: str) -> None:
        super().__init__(f"{field}: {why}")
        self.field, self.why = field, why


class Mismatch(PithError, ValueError):
    """A document states `stated` for `what`, but computing it gives `computed`."""

    code = "mismatch"

    def __init__(self, what: str, stated: str, computed: str) -> None:
        super().__init__(f"the stated {what} is {stated}, computing it gives {computed}")
        self.what, self.stated, self.computed = what, stated, computed


class NotFound(PithError, LookupError):
    """Well formed, but nothing of that name is known here."""

    code = "not-found"


class Ambiguous(PithError, LookupError):
    """Several records match; `candidates` lists their full Pith Numbers in order."""

    code = "ambiguous"

    def __init__(self, text: str, candidates: tuple[str, ...]) -> None:
        super().__init__(f"{text!r} matches {len(candidates)} records: {', '.join(candidates)}")
        self.text, self.candidates = text, candidates


class Unavailable(PithError):
    """The machine is at fault, not the input: a file, a permission, a lock, a full disk, a missing extra."""

    code = "unavailable"
