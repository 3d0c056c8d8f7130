package profile

// paged is an array over a large, sparsely used index space. Its zero value is
// all zeros; memory is taken by the page, where something was stored.
type paged[V any] struct {
	pages []*page[V]
}

const pageLength = 256

type page[V any] [pageLength]V

// at returns the place of element i, nil if its page was never stored to.
func (p *paged[V]) at(i uint32) *V {
	n := int(i / pageLength)
	if n >= len(p.pages) || p.pages[n] == nil {
		return nil
	}
	return &p.pages[n][i%pageLength]
}

// get returns element i.
func (p *paged[V]) get(i uint32) (v V) {
	if at := p.at(i); at != nil {
		v = *at
	}
	return v
}

// set stores v as element i.
func (p *paged[V]) set(i uint32, v V) {
	n := int(i / pageLength)
	for n >= len(p.pages) {
		p.pages = append(p.pages, nil)
	}
	if p.pages[n] == nil {
		p.pages[n] = new(page[V])
	}
	p.pages[n][i%pageLength] = v
}

// each calls f with every element of every page in [first, end).
func (p *paged[V]) each(first, end uint32, f func(i uint32, v *V)) {
	for n := int(first / pageLength); n < len(p.pages) && uint32(n)*pageLength < end; n++ {
		if p.pages[n] == nil {
			continue
		}
		base := uint32(n) * pageLength
		for k := max(first, base); k < min(end, base+pageLength); k++ {
			f(k, &p.pages[n][k-base])
		}
	}
}
