package waste

import "mallard/internal/profile"

// arraysMade gives for each family how many arrays there were, those of all threads, that may have been the first one
// of a collection; none for a family whose arrays nobody has counted from the start.
func (c *classifier) arraysMade() map[family]int64 {
	made := map[family]int64{}
	if c.p.Reconciliation == nil { // attached to, or without an agent, which does not count in the JDK
		return made
	}
	for _, f := range []family{lists, tables, shared} {
		for i := range c.p.Sites {
			if f.makes(&c.p.Sites[i]) {
				made[f] = 0
			}
		}
	}
	for _, cell := range c.p.Cells(profile.Filter{}) {
		for f := range made {
			if f.makes(&c.p.Sites[cell.Site]) && !c.isLater(&cell, f) {
				made[f] += cell.Amount.Objects
			}
		}
	}
	return made
}

// isLater reports whether an array is certainly not the first one of its collection. That of a list may be, whatever
// makes it: a list of which a size of 0 was asked begins with an array that it shares, and copies it.
func (c *classifier) isLater(s *profile.Cell, f family) bool { return f != lists && c.growth(s) != "" }
