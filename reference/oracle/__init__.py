"""The reference side of `runner parity` and `runner bisect`: Hugging Face transformers on the same checkpoint."""
