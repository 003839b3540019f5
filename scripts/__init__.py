"""What writes constraints and figures: run by make, no part of the package."""
