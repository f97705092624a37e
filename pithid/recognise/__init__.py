"""The tolerant front end: any text to the identifiers in it."""
