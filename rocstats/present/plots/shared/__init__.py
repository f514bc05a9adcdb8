"""What all graphs share: axes and legend, lines and colours, the series of a frame."""
