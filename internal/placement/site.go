package placement

// site gives every allocation a counter right behind it, so that φ is 0 wherever
// an instruction starts; or right in front of it.
func site(pr *Problem) *Plan {
	var counters []Counter
	for b, allocs := range pr.Allocs {
		for _, a := range allocs {
			counters = append(counters, Counter{Semantics: a.Sites, After: a.At, Ahead: a.Ahead,
				Piggybacked: a.Piggybacked, Freq: pr.Graph.Blocks[b].Freq})
		}
	}
	return assemble(pr, Site, make([]Vector, len(pr.Graph.Blocks)), counters)
}
