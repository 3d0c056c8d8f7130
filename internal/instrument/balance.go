package instrument

import "mallard/internal/placement"

// balance is a vector over a method's sites that changes in place, and knows whether it is zero.
type balance struct {
	n     []int32 // per site
	terms int     // how many are not zero
}

// reset makes it zero.
func (b *balance) reset(sites int) {
	if b.terms > 0 || len(b.n) != sites {
		*b = balance{n: make([]int32, sites)}
	}
}

func (b *balance) add(v placement.Vector) {
	for _, t := range v {
		was := b.n[t.Site]
		b.n[t.Site] += t.N
		switch {
		case was == 0:
			b.terms++
		case b.n[t.Site] == 0:
			b.terms--
		}
	}
}

func (b *balance) vector() placement.Vector {
	if b.terms == 0 {
		return nil
	}
	v := make(placement.Vector, 0, b.terms)
	for site, n := range b.n {
		if n != 0 {
			v = append(v, placement.Term{Site: int32(site), N: n})
		}
	}
	return v
}
