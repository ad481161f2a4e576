"""From pictures to likelihoods: finds the board, follows the hands, counts the pits. Knows no rules."""
