"""Inner tensors of one pass, under the engine's names."""
