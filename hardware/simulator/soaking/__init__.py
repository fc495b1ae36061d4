"""Hours of simulated play through the whole program, with faults at random times."""
