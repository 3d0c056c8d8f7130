package profile

import (
	"cmp"
	"iter"
	"slices"
	"strings"
)

// NoMatch is a pattern of a filter that selects nothing in a recording.
type NoMatch struct {
	Flag    string // class, method, under, thread, transaction
	Pattern string
	Nearest []string // names that the recording has, the most alike first; may be empty
}

// NoMatch gives the first pattern of a filter that selects nothing by itself; nil where all select something.
func (p *Profile) NoMatch(f Filter) *NoMatch {
	for _, part := range p.filterParts(f) {
		if part.pattern != "" && !part.selects(part.pattern) {
			return &NoMatch{part.flag, part.pattern, Nearest(part.pattern, part.names)}
		}
	}
	return nil
}

// Unmatched lists what selects nothing of patterns between commas, beside others that do.
func (p *Profile) Unmatched(f Filter) (list []NoMatch) {
	for _, part := range p.filterParts(f) {
		if !strings.Contains(part.pattern, ",") || !part.selects(part.pattern) {
			continue
		}
		if part.titles && anyName(part.names, func(n string) bool { return Match(part.pattern, n) }) {
			continue // a name that has commas
		}
		for pattern := range strings.SplitSeq(part.pattern, ",") {
			if pattern = strings.TrimSpace(pattern); pattern != "" && !part.selects(pattern) {
				list = append(list, NoMatch{part.flag, pattern, Nearest(pattern, part.names)})
			}
		}
	}
	return list
}

// filterPart is a pattern of a filter, and what it selects from.
type filterPart struct {
	flag, pattern string
	titles        bool // names are whole, as for [MatchTitle]
	names         iter.Seq[string]
}

func (f *filterPart) selects(pattern string) bool {
	matches := MatchName
	if f.titles {
		matches = MatchTitle
	}
	return anyName(f.names, func(n string) bool { return matches(pattern, n) })
}

// filterParts gives all patterns of a filter, those that are empty as well.
func (p *Profile) filterParts(f Filter) []filterPart {
	sites := func(name func(*Site) string) iter.Seq[string] {
		return func(yield func(string) bool) {
			for i := range p.Sites {
				if !yield(name(&p.Sites[i])) {
					return
				}
			}
		}
	}
	methods := func(transactions bool) iter.Seq[string] {
		return func(yield func(string) bool) {
			for i := range p.Methods {
				if m := &p.Methods[i]; m.Transaction == transactions && !yield(Unbracketed(m.Title())) {
					return
				}
			}
		}
	}
	threads := func(yield func(string) bool) {
		for i := range p.Threads {
			if !yield(p.Threads[i].Name) {
				return
			}
		}
	}
	return []filterPart{
		{"class", f.Class, false, sites(func(s *Site) string { return s.Type })},
		{"method", f.Method, false, sites(func(s *Site) string { return s.Class + "." + s.Method })},
		{"under", f.Under, false, methods(false)},
		{"transaction", f.Transaction, true, methods(true)},
		{"thread", f.Thread, true, threads},
	}
}

func anyName(names iter.Seq[string], matches func(string) bool) bool {
	for name := range names {
		if matches(name) {
			return true
		}
	}
	return false
}

// mostNearest is how many names are nearest.
const mostNearest = 3

// Nearest gives the names that are most like patterns, compared with as many parts of each, whatever their case. A name
// that differs in more than a quarter of its characters, and one, is not like it.
func Nearest(patterns string, names iter.Seq[string]) (nearest []string) {
	distances := map[string]int{}
	for pattern := range strings.SplitSeq(patterns, ",") {
		pattern = strings.ToLower(strings.Trim(strings.TrimSpace(pattern), "*."))
		if pattern == "" {
			continue
		}
		for name := range names {
			best, known := distances[name]
			if d := nameDistance(pattern, strings.ToLower(name)); d <= 1+len(pattern)/4 && (!known || d < best) {
				distances[name] = d
			}
		}
	}
	for name := range distances {
		nearest = append(nearest, name)
	}
	slices.SortFunc(nearest, func(a, b string) int {
		return cmp.Or(cmp.Compare(distances[a], distances[b]), cmp.Compare(len(a), len(b)), strings.Compare(a, b))
	})
	return nearest[:min(len(nearest), mostNearest)]
}

// nameDistance is the least distance of a pattern to parts of a name that follow each other, as many as it has.
func nameDistance(pattern, name string) int {
	split := func(text string) []string {
		return strings.FieldsFunc(text, func(r rune) bool { return r == '.' || r == '$' })
	}
	wanted, parts := split(pattern), split(name)
	short := strings.Join(wanted, ".")
	best := editDistance(short, strings.Join(parts, "."))
	for i := 0; i+len(wanted) <= len(parts); i++ {
		best = min(best, editDistance(short, strings.Join(parts[i:i+len(wanted)], ".")))
	}
	if len(pattern) >= 3 && strings.Contains(name, pattern) {
		best = min(best, 1)
	}
	return best
}

// editDistance is how many bytes are inserted, left out or replaced to make one text of the other.
func editDistance(a, b string) int {
	const most = 20 // longer differences are all alike
	if len(a) > len(b)+most || len(b) > len(a)+most {
		return most
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := before
			if a[i] != b[j] {
				cost++
			}
			before = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
