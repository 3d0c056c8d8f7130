package profile

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/profile/profiletest"
	"mallard/internal/trace"
)

// TestChanges: what changed between any two snapshots is what reading that span alone finds: by site, stack and thread.
func TestChanges(t *testing.T) {
	var large bytes.Buffer
	if err := (profiletest.Large{Contexts: 500, Threads: 3, Rounds: 4}).Write(&large); err != nil {
		t.Fatal(err)
	}
	for name, recording := range map[string][]byte{
		"sites":        profiletest.MustEncode(t, overTimeProgram),
		"contexts":     profiletest.MustEncode(t, profiletest.Contexts),
		"transactions": profiletest.MustEncode(t, profiletest.Transactions),
		"large":        large.Bytes(),
	} {
		t.Run(name, func(t *testing.T) {
			p, err := Fold(bytes.NewReader(recording))
			if err != nil {
				t.Fatal(err)
			}
			title := func(p *Profile, site, context, thread int32) string {
				text := fmt.Sprint(p.Threads[thread].Title(), p.Sites[site].Type, p.Sites[site].BCI)
				for _, f := range p.Stack(&p.Sites[site], context) {
					text += fmt.Sprint(" ", f.Title(), f.BCI, f.Line)
				}
				return text
			}
			var ends []time.Duration
			spans := []map[string]Amount{{}}
			err = p.Changes(bytes.NewReader(recording), func(c Change) {
				last := spans[len(spans)-1]
				sum := last[title(p, c.Site, c.Context, c.Thread)]
				sum.Add(c.Amount)
				last[title(p, c.Site, c.Context, c.Thread)] = sum
			}, func(at time.Duration) {
				ends, spans = append(ends, at), append(spans, map[string]Amount{})
			})
			if err != nil {
				t.Fatal(err)
			}
			for from := range len(ends) + 1 {
				for to := from; to <= len(ends); to++ {
					span := Span{}
					if from > 0 {
						span.From = ends[from-1]
					}
					if to < len(ends) {
						span.To = ends[to]
					}
					file, err := trace.OpenFile(bytes.NewReader(recording), int64(len(recording)))
					if err != nil {
						t.Fatal(err)
					}
					alone, err := foldSpan(file, span)
					if err != nil {
						t.Fatal(err)
					}
					want, got := map[string]Amount{}, map[string]Amount{}
					for i := range alone.Threads {
						for _, c := range alone.Threads[i].Cells {
							if !alone.Sites[c.Site].Executed {
								want[title(alone, c.Site, c.Context, int32(i))] = c.Amount
							}
						}
					}
					for _, changes := range spans[from : to+1] {
						for key, a := range changes {
							sum := got[key]
							sum.Add(a)
							got[key] = sum
						}
					}
					for key, a := range got {
						if a.IsZero() {
							delete(got, key)
						}
					}
					if d := cmp.Diff(want, got); d != "" {
						t.Errorf("%v: -alone +changes:\n%s", span, d)
					}
				}
			}
		})
	}
}
