"""Upper bounds on what the best policy of Et finem Imperii Romani can reach."""
