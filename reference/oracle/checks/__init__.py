"""What the reference proves about itself before it speaks. One check a file; each returns an `Outcome`."""
