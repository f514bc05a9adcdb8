"""How many cases a study needs: designs, their variance, power by formula and by simulation."""
