"""Stores that remember records and their aliases; see `contract` for what every one of them promises."""
