"""The outcome of verifying a document: every check by its name, each with its own result."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from pithid.core.canonical import Json
from pithid.core.keys import TrustEntry
from pithid.core.snapshot import Result

Verdict = Literal["verified", "failed", "malformed"]


@dataclass(frozen=True, slots=True)
class Check:
    """One check: `result` is passed, failed, not_checkable or absent; `detail` is for a person."""

    name: str
    result: Result
    detail: str = ""

    @classmethod
    def of(cls, name: str, *, fine: bool, detail: str = "") -> "Check":
        """Return a passed or failed check."""
        return cls(name, "passed" if fine else "failed", detail)


@dataclass(frozen=True, slots=True)
class Verification:
    """What is known of a document after all checks.

    Attributes:
        kind: what the document is: bundle, record, state, receipt, integrity.
        checks: in the order of docs/verify.md.
        unsigned: JSON paths of members that anyone could have changed without a check failing.
        trusted_by: the trust entries whose signatures were accepted.
        self_certified: did:keys in no trust store whose signatures hold; they vouch for themselves and nothing else.
        conflicts: groups of event ids by which one key contradicts itself.
    """

    kind: str
    checks: tuple[Check, ...]
    unsigned: tuple[str, ...] = ()
    trusted_by: tuple[TrustEntry, ...] = ()
    conflicts: tuple[tuple[str, ...], ...] = ()
    self_certified: tuple[str, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """`malformed` where the document has not the shape of its kind, `failed` where any check failed."""
        if any(check.name == "shape" and check.result == "failed" for check in self.checks):
            return "malformed"
        return "failed" if any(check.result == "failed" for check in self.checks) else "verified"

    def to_json(self) -> dict[str, Json]:
        """Return the object of `pithid verify --json`."""
        checks: list[Json] = [
            {"name": check.name, "result": check.result, "detail": check.detail} for check in self.checks
        ]
        return {
            "kind": self.kind,
            "verdict": self.verdict,
            "checks": checks,
            "unsigned": list(self.unsigned),
            "trusted_by": [describe(entry) for entry in self.trusted_by],
            "self_certified": list(self.self_certified),
            "conflicts": [list(group) for group in self.conflicts],
        }


def describe(entry: TrustEntry) -> str:
    """Return a trust entry as one line."""
    return f"{entry.signer_type} {entry.signer_id} key {entry.key_id} {entry.key}"


def distinct(entries: Iterable[TrustEntry | None]) -> tuple[TrustEntry, ...]:
    """Return the entries without repetition and without gaps, in order of first use."""
    return tuple(dict.fromkeys(entry for entry in entries if entry is not None))
