package cli

import (
	"fmt"
	"os"
	"strings"

	"mallard/internal/merge"
	"mallard/internal/profile"
)

// openAll reads recordings as openWithin does, and gives their sum where there are several; the events are of one.
func (p *program) openAll(names []string, flags *spanFlags, events profile.Events) (*recording, error) {
	if len(names) == 1 {
		return p.openWithin(names[0], flags, events)
	}
	p.expectAlso(names[1:])
	sum := &recording{name: strings.Join(names, ", "), events: events}
	var sources []merge.Source
	for _, name := range names {
		r, err := p.openWithin(name, flags, nil)
		if err != nil {
			return nil, err
		}
		sum.parts = append(sum.parts, r)
		sources = append(sources, merge.Source{File: name, Profile: r.profile})
	}
	sum.profile = merge.Profile(sources, buildVersion())
	return sum, nil
}

// expectAlso gives the answer more room for recordings that it is about as well.
func (p *program) expectAlso(names []string) {
	for _, name := range names {
		if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
			p.bound.more += stored(info)
		}
	}
}

// all is the recordings that r is the sum of, or r itself.
func (r *recording) all() []*recording {
	if len(r.parts) > 0 {
		return r.parts
	}
	return []*recording{r}
}

// hasTimes refuses questions about what happened when to what has no times.
func hasTimes(r *recording, flag string) error {
	if !r.profile.Merged {
		return nil
	}
	return fmt.Errorf("--%s: %s is of several recordings, whose times are apart; ask each of them", flag, r.name)
}
