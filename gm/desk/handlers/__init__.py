"""What commands do: a function each, from the desk and its statement to what the receipt answers."""
