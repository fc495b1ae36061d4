"""What happens at the table: observations in, totals, alerts and results out."""
