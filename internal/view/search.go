package view

// Found gives how much is in or below methods and classes whose names match, objects and bytes. Its error is
// ErrPattern.
func (r *Recording) Found(q Query, text string) (found [2]int64, err error) {
	p, err := newPattern(text)
	if err != nil {
		return found, err
	}
	methods, classes := make([]bool, len(r.named)), make([]bool, len(r.types))
	for i, named := range r.named {
		if methods[i] = methods[named]; named == int32(i) {
			methods[i] = p.matches(r.Profile.Methods[i].Title())
		}
	}
	for i := range r.types {
		classes[i] = p.matches(r.types[i])
	}
	s := r.selected(q)
	for i := int32(0); i < int32(len(r.ends)); {
		if methods[r.methodOf[i]] {
			add(&found, s.sums[i])
			i = r.ends[i]
			continue
		}
		for k := r.first[i]; k < r.first[i+1]; k++ {
			if classes[r.typeOf[r.cells.site[k]]] {
				add(&found, s.cells[k])
			}
		}
		i++
	}
	return found, nil
}
