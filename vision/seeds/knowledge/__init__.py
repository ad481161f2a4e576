"""What is known of the pits at one table: how they looked, what they held, how the counter errs here."""
