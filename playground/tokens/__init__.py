"""What messages cost: the bill, other formats, break-even, prices, and published claims."""
