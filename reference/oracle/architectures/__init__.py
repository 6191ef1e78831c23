"""One synthetic architecture a file; `all.py` lists them."""
