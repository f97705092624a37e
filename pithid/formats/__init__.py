"""Formats that people hold data in, one a file; readers stream and never guess a value."""
