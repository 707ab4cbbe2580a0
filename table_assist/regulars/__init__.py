"""People who come to the table again: what is kept of them, what the logs say of them."""
