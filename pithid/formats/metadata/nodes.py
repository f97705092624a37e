"""Small XML trees: one item of a feed or harvest, complete in memory."""

from collections.abc import Mapping
from dataclasses import dataclass

from pithid.core.errors import NotMintable


@dataclass(frozen=True, slots=True)
class Node:
    """An XML element.

    Attributes:
        name: local name.
        namespace: its namespace, empty when it has none.
        attributes: values by local name.
        text: the character data directly inside, joined.
        children: the elements directly inside.
    """

    name: str
    namespace: str
    attributes: Mapping[str, str]
    text: str
    children: tuple["Node", ...]

    def all(self, name: str) -> tuple["Node", ...]:
        """Return the children of that local name."""
        return tuple(child for child in self.children if child.name == name)

    def only(self, name: str) -> "Node | None":
        """Return the child of that local name, None when there is none.

        Raises:
            NotMintable: there are several, so which of them arXiv means is unknown.
        """
        found = self.all(name)
        if len(found) > 1:
            raise NotMintable(name, f"there are {len(found)} elements <{name}> where one is expected")
        return found[0] if found else None

    def plain(self, name: str) -> str | None:
        """Return the text of the child of that name, None when there is none.

        Raises:
            NotMintable: there are several, or its text holds markup, which would be lost and change the hash.
        """
        child = self.only(name)
        if child is None:
            return None
        if child.children:
            raise NotMintable(name, f"holds the markup <{child.children[0].name}>, so the text is not arXiv's own")
        return child.text

    def need(self, name: str, field: str) -> str:
        """Return the text of the child of that name.

        Raises:
            NotMintable: as `plain`, or there is none; `field` is what the record then lacks.
        """
        text = self.plain(name)
        if text is None:
            raise NotMintable(field, f"there is no element <{name}>")
        return text
