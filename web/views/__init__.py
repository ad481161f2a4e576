"""The pages, and what is ordered on them."""
