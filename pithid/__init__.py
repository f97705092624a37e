"""pithid: mint, resolve, look up and check Pith Numbers."""
