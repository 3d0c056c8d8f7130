package export

import (
	"mallard/internal/profile"
)

// Schema names the JSON form of reports; it changes when a field changes its
// meaning, not when one is added.
const Schema = "mallard.report/1"

// Report is an answer about one recording, ready to be written.
type Report struct {
	File    string // the recording, as the user named it
	Profile *profile.Profile
	Answer  *profile.Answer
	Verbose bool // text says all that its numbers are of
}

// value returns what rows are sorted by.
func (r *Report) value(a profile.Amount) int64 { return r.Answer.Query.Sort.Value(a) }

// hasElements reports whether rows of this kind have array elements: those
// that stand for one type.
func hasElements(by profile.By) bool {
	return by == profile.BySite || by == profile.ByClass || by == profile.ByElement || by == profile.ByContext
}

// hasInclusive reports whether rows have what methods called.
func hasInclusive(p *profile.Profile, q profile.Query) bool {
	return p.Tracked && q.By == profile.ByMethod && q.Inclusive
}
