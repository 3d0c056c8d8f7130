package merge

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/profile"
	"mallard/internal/profile/profiletest"
	"mallard/internal/symbols"
	"mallard/internal/trace"
)

// fold reads the text form of a recording.
func fold(t *testing.T, text string) *profile.Profile {
	t.Helper()
	p, err := profile.Fold(bytes.NewReader(profiletest.MustEncode(t, text)))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// written merges by way of a file.
func written(t *testing.T, sources ...Source) *profile.Profile {
	t.Helper()
	var file bytes.Buffer
	if err := Write(&file, sources, "1.0"); err != nil {
		t.Fatal(err)
	}
	p, err := profile.Fold(&file)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// book adds up by text what recordings have: each stack with what is allocated and by which thread, with what is known
// of the site, and calls by stack.
type book struct {
	amounts map[string]profile.Amount
	calls   map[string]int64
}

func bookOf(stacks bool, profiles ...*profile.Profile) book {
	b := book{map[string]profile.Amount{}, map[string]int64{}}
	for _, p := range profiles {
		for s := range p.Samples(profile.Filter{}) {
			var k strings.Builder
			site := *s.Site
			site.Loader, site.TypeLoader, site.Amount = "", "", profile.Amount{}
			fmt.Fprintf(&k, "%s carrier %v java %d: %+v", s.Thread.Name, s.Thread.Carrier, s.Thread.JavaID, site)
			if stacks {
				for _, f := range p.Stack(s.Site, s.Context) {
					m := *f.Method
					m.Loader = ""
					fmt.Fprintf(&k, "\n  %+v %d %d", m, f.BCI, f.Line)
				}
			}
			sum := b.amounts[symbols.StableName(k.String())]
			sum.Add(s.Amount)
			b.amounts[symbols.StableName(k.String())] = sum
		}
		for i := range p.Contexts {
			if n := p.Contexts[i].Calls; n != 0 && stacks {
				b.calls[stackText(p, int32(i))] += n
			}
		}
	}
	return b
}

func stackText(p *profile.Profile, context int32) string {
	var k strings.Builder
	for ; context >= 0; context = p.Contexts[context].Parent {
		c := &p.Contexts[context]
		fmt.Fprintf(&k, "%s %d %d\n", p.Methods[c.Method].Title(), c.BCI, c.Line)
	}
	return k.String()
}

// TestSums: whatever is merged, all that was allocated is in the sum, where it was and by whom.
func TestSums(t *testing.T) {
	demo, contexts, transactions := fold(t, profiletest.Demo), fold(t, profiletest.Contexts),
		fold(t, profiletest.Transactions)
	named := func(list ...*profile.Profile) (sources []Source) {
		for i, p := range list {
			sources = append(sources, Source{fmt.Sprintf("/tmp/%d.mallard", i), p})
		}
		return sources
	}
	twice := written(t, Source{"a.mallard", demo}, Source{"b.mallard", demo})
	// two calls in one line, and what else is known of a site
	places := fold(t, strings.NewReplacer("9:3:2:7:7]", "9:3:2:7:7 10:1:2:8:7]", "9:1:30]", "9:1:30 10:1:5]",
		`Length=1`, `Length=1 Looped=true Copied=true PassedTo=9`).Replace(profiletest.Transactions))
	for name, list := range map[string][]*profile.Profile{
		"itself":       {demo},
		"twice":        {demo, demo},
		"places":       {transactions, places},
		"contexts":     {contexts, contexts, transactions},
		"some":         {demo, contexts},
		"merged":       {twice, demo},
		"transactions": {transactions, transactions},
	} {
		t.Run(name, func(t *testing.T) {
			got := written(t, named(list...)...)
			tracked, bytecodes, programs := true, true, 0
			var total profile.Amount
			for _, p := range list {
				tracked, bytecodes = tracked && p.Tracked, bytecodes && p.Bytecodes
				programs += len(p.Programs)
				total.Add(p.Total)
			}
			if !bytecodes {
				total.Bytecodes = 0
			}
			if got.Tracked != tracked || got.Bytecodes != bytecodes || len(got.Programs) != programs || !got.Merged {
				t.Errorf("tracked %v, bytecodes %v, %d programs", got.Tracked, got.Bytecodes, len(got.Programs))
			}
			if diff := cmp.Diff(total, got.Total); diff != "" {
				t.Errorf("total, -want +got:\n%s", diff)
			}
			want := bookOf(tracked, list...)
			if diff := cmp.Diff(want, bookOf(tracked, got), cmp.AllowUnexported(book{})); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if diff := cmp.Diff(want, bookOf(tracked, Profile(named(list...), "1.0")),
				cmp.AllowUnexported(book{})); diff != "" {
				t.Errorf("without a file, -want +got:\n%s", diff)
			}
			var losses, wanted int
			for _, p := range list {
				wanted += len(p.Losses)
			}
			for _, l := range got.Losses {
				losses++
				if !strings.Contains(l.Detail, ".mallard: ") {
					t.Errorf("%q is of no file", l.Detail)
				}
			}
			if losses != wanted {
				t.Errorf("%d losses, not %d", losses, wanted)
			}
		})
	}
}

// TestTransactionSizes: histograms are added up.
func TestTransactionSizes(t *testing.T) {
	text := profiletest.Transactions + "TransactionSizes Number=3 Ended=3 Bytes=30 Most=20 Sizes=[5:1 20:2]\n"
	p := fold(t, text)
	got := written(t, Source{"a", p}, Source{"b", p}).TransactionSizes("order")
	want := []trace.SizeCount{{Step: 5, Count: 2}, {Step: 20, Count: 4}}
	if diff := cmp.Diff(want, got.Steps()); diff != "" || got.Ended != 6 || got.Bytes != 60 || got.Most != 20 {
		t.Errorf("%+v, -want +got:\n%s", got, diff)
	}
}
