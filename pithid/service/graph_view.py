"""What the events kept here say of a record, merged anew under the keys trusted now."""

from dataclasses import dataclass

from pithid.core.canonical import Json
from pithid.core.identifiers import PithNumber
from pithid.core.keys import Keyring
from pithid.core.merge import Merged
from pithid.core.status import Step, completeness, verification_status, words
from pithid.service.bundles import known
from pithid.service.event_log import Listed, listed
from pithid.store.sqlite import SqliteStore


@dataclass(frozen=True, slots=True)
class GraphView:
    """The events of a record and what they amount to.

    Attributes:
        merged: the merge of all events kept.
        status: the `verification_status` object.
        steps: the completeness list.
        events: every event with its standing.
    """

    merged: Merged
    status: dict[str, Json]
    steps: tuple[Step, ...]
    events: tuple[Listed, ...]

    @property
    def is_vouched(self) -> bool:
        """Whether a key trusted now states the record; the provenance in the index tells how it was when it came."""
        return self.status["pith_receipt"] is True

    @property
    def words(self) -> tuple[str, ...]:
        """The four status words."""
        return words(self.status)

    def to_json(self) -> dict[str, Json]:
        """Return the members that `pithid lookup --json` adds."""
        steps: list[Json] = [{"name": step.name, "done": step.done, "count": step.count} for step in self.steps]
        return {
            "vouched_now": self.is_vouched,
            "verification_status": self.status,
            "status_words": list(self.words),
            "completeness": steps,
            "state_sha256": self.merged.state["state_sha256"],
            "events": [one.to_json() for one in self.events],
            "conflicts": [list(group) for group in self.merged.conflicts],
        }


def graph_of(store: SqliteStore, number: PithNumber, keyring: Keyring) -> GraphView:
    """Merge the events kept of a record; a receipt counts where a trusted key's `record_created` carries it."""
    _, merged = known(store, number, keyring)
    current = merged.state["current"]
    created = isinstance(current, dict) and current["record_created"] is not None
    status = verification_status(merged, has_receipt=created)
    return GraphView(merged, status, completeness(status, merged), tuple(listed(merged)))
