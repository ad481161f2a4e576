"""What other programs are given and may order: `/api/v1`, its description, its errors, and the page to try it on."""
