package replica

import "math"

// Pairs are objects of one allocation context, two at a time, that were compared where both were read at one place:
// the same field or element. Those that were equal there were compared whole, as they were then, where that was cheap.
type Pairs struct {
	Equal, Different int64 // at that field or element
	Copies, Partial  int64 // of the equal ones, equal whole, or not
	Near, NearEqual  int64 // of all, those between which few others were sampled, and of these the equal ones
}

// Add adds others.
func (p *Pairs) Add(o Pairs) {
	p.Equal, p.Different = plus(p.Equal, o.Equal), plus(p.Different, o.Different)
	p.Copies, p.Partial = plus(p.Copies, o.Copies), plus(p.Partial, o.Partial)
	p.Near, p.NearEqual = plus(p.Near, o.Near), plus(p.NearEqual, o.NearEqual)
}

// Count is how many there are.
func (p *Pairs) Count() int64 { return plus(p.Equal, p.Different) }

// Estimate is what pairs say of the objects that they were drawn from (OJXPerf, section 6). All are from 0 to 1, NaN
// where nothing is known.
type Estimate struct {
	Theta               float64 // a pair is equal where it was compared
	ThetaLow, ThetaHigh float64
	Alpha               float64 // a pair of different objects is
	Copied              float64 // a pair is equal whole: (θ − α)/(1 − α), but where α is 1, known all the same
	// of what the largest group has of all objects, by the paper's formulas, which take Theta and Alpha to be exact
	Omega, Gamma float64
	// the same with 95 % of certainty for so many pairs
	OmegaLow, GammaHigh float64
	// pairs near each other are equal more often than others: copies come in runs, and if these are longer than what
	// lies between the objects of pairs, the bounds are too high
	Runs bool
}

// certain is the normal distribution's quantile for 95 %.
const certain = 1.96

// Estimate says what pairs say of so many objects, 0 where that is not known.
func (p *Pairs) Estimate(objects int64) Estimate {
	nan := math.NaN()
	e := Estimate{Theta: nan, ThetaLow: nan, ThetaHigh: nan, Alpha: nan, Copied: nan, Omega: nan, Gamma: nan,
		OmegaLow: nan, GammaHigh: nan}
	pairs := float64(p.Count())
	if objects == 1 {
		e.Omega, e.Gamma, e.OmegaLow, e.GammaHigh = 1, 1, 1, 1 // the largest group is all
	}
	if pairs == 0 {
		return e
	}
	e.Theta = float64(p.Equal) / pairs
	e.ThetaLow, e.ThetaHigh = wilson(e.Theta, pairs)
	e.Runs = p.inRuns()
	known := float64(plus(p.Copies, p.Partial))
	if p.Equal > 0 && known == 0 {
		return e
	}
	copies := 0.0 // of all pairs
	if p.Equal > 0 {
		copies = e.Theta * float64(p.Copies) / known
	}
	e.Copied = copies
	if copies < 1 {
		e.Alpha = max((e.Theta-copies)/(1-copies), 0)
	}
	if objects == 1 {
		return e
	}
	if copies == 1 {
		e.Omega = 1
	} else {
		e.Omega = lowerBound(e.Theta, e.Alpha)
	}
	e.Gamma = upperBound(copies, objects)
	low, high := wilson(copies, pairs*min(1, known/max(float64(p.Equal), 1)))
	if p.Equal == 0 {
		low, high = wilson(0, pairs)
	}
	e.OmegaLow, e.GammaHigh = min(e.Omega, low), upperBound(high, objects)
	if objects > 0 { // a group has an object
		least := 1 / float64(objects)
		e.Omega, e.OmegaLow = max(e.Omega, least), max(e.OmegaLow, least)
		e.Gamma, e.GammaHigh = max(e.Gamma, least), max(e.GammaHigh, least)
	}
	return e
}

// Share gives the share of pairs of different and equal objects together that are copies, which follows from θ and α;
// 0 where α is 1, which says nothing, and where θ is less.
func Share(theta, alpha float64) float64 {
	if alpha >= 1 || theta <= alpha {
		return 0
	}
	return (theta - alpha) / (1 - alpha)
}

// lowerBound is ω = θ − α.
func lowerBound(theta, alpha float64) float64 { return min(max(theta-alpha, 0), 1) }

// upperBound is γ, given the share of pairs that are copies, (θ−α)/(1−α); objects 0: many.
func upperBound(copies float64, objects int64) float64 {
	t := 0.0
	if objects > 1 {
		t = 1 / float64(objects-1)
	}
	return min(t/2+math.Sqrt(t*t/4+max(copies, 0)), 1)
}

// wilson gives the interval of Wilson's score for a share that was measured n times.
func wilson(share, n float64) (low, high float64) {
	if n <= 0 {
		return 0, 1
	}
	const z = certain
	middle := (share + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(share*(1-share)/n+z*z/(4*n*n))
	return max(middle-half, 0), min(middle+half, 1)
}

// inRuns compares the shares of near and far pairs that are equal: whether they differ by three standard deviations.
func (p *Pairs) inRuns() bool {
	near, all := float64(p.Near), float64(p.Count())
	far := all - near
	if near < 5 || far < 5 {
		return false
	}
	share := float64(p.Equal) / all
	deviation := math.Sqrt(share * (1 - share) * (1/near + 1/far))
	return float64(p.NearEqual)/near-float64(p.Equal-p.NearEqual)/far > 3*deviation && deviation > 0
}
