"""Network cameras that somebody tries on the page before the table uses one."""
