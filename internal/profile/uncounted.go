package profile

import "slices"

// uncountedSites is in trace.Process.Track where no site counts, by the user's wish.
const uncountedSites = "uncounted"

// IsUncounted reports whether code was left as it was, so that no site's counts say anything.
func (p *Profile) IsUncounted() bool {
	return p.Process != nil && slices.Contains(p.Process.Track, uncountedSites)
}
