"""Readers of paper metadata: bytes in, a stream of entries out, nothing dropped."""
