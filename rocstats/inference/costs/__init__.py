"""Questions about expected costs."""
