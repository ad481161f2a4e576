"""The pages and the orders that people give on them."""
