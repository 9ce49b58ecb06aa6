"""What the measurements in this folder share: positions, races, peers, and facts about the machine."""
