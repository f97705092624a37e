"""Use cases, one a file; stores, streams and clocks come as arguments."""
