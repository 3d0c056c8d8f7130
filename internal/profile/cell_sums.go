package profile

// cellSums is what was counted in one context, by site. It is made for one after the other.
type cellSums struct {
	cells []cell
	at    []int32 // by site: index in cells, and one; 0: it has none
}

func newCellSums(sites int) *cellSums { return &cellSums{at: make([]int32, sites)} }

// add adds what was counted at a site.
func (s *cellSums) add(c cell) {
	for int(c.site) >= len(s.at) { // it came to be known meanwhile
		s.at = append(s.at, 0)
	}
	at := &s.at[c.site]
	if *at == 0 {
		s.cells = append(s.cells, c)
		*at = int32(len(s.cells))
		return
	}
	sum := &s.cells[*at-1]
	*sum = sum.plus(c)
}

// clear makes it the one of another context.
func (s *cellSums) clear() {
	for i := range s.cells {
		s.at[s.cells[i].site] = 0
	}
	s.cells = s.cells[:0]
}
