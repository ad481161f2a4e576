"""The API for other programs: `/api/v1`, its description, its errors, and the page to try it on."""
