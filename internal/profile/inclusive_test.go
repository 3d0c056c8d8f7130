package profile

import (
	"bytes"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/profile/profiletest"
)

// TestInclusive: a method has what is allocated in all stacks that it stands in, each once, whether it allocates itself
// or not; its other amounts are what they are without. Methods of a class that was redefined are one.
func TestInclusive(t *testing.T) {
	var large bytes.Buffer
	if err := (profiletest.Large{Contexts: 900, Threads: 3, Rounds: 2}).Write(&large); err != nil {
		t.Fatal(err)
	}
	called, recursive := 0, 0
	for name, recording := range map[string][]byte{
		"contexts":     profiletest.MustEncode(t, profiletest.Contexts),
		"transactions": profiletest.MustEncode(t, profiletest.Transactions), "large": large.Bytes(),
	} {
		p, err := Fold(bytes.NewReader(recording))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range []Filter{{}, {Class: "*Node,byte[],demo.Point"}, {Thread: "main,thread-2"},
			{Method: "*.newNode,*.method3,*.helper"}, {Under: "demo.App.run,*.method1"}} {
			self, all := map[rowKey]Amount{}, map[rowKey]Amount{}
			for s := range p.Samples(f) {
				if s.Site.Executed {
					continue
				}
				seen := map[rowKey]bool{}
				for i, frame := range p.Stack(s.Site, s.Context) {
					key := methodKey(frame.Method)
					for to, add := range map[*map[rowKey]Amount]bool{&self: i == 0, &all: !seen[key]} {
						if add && key.owner != "" {
							sum := (*to)[key]
							sum.Add(s.Amount)
							(*to)[key] = sum
						}
					}
					if seen[key] {
						recursive++
					}
					seen[key] = true
				}
			}
			answer := p.Rows(Query{By: ByMethod, Filter: f, Inclusive: true, Sort: SortInclusive})
			gotSelf, gotAll := map[rowKey]Amount{}, map[rowKey]Amount{}
			for _, r := range answer.Rows {
				r.Amount.Bytecodes = 0
				if gotAll[ByMethod.key(r)] = r.Inclusive; !r.Amount.IsZero() {
					gotSelf[ByMethod.key(r)] = r.Amount
				} else {
					called++
				}
			}
			if diff := cmp.Diff(all, gotAll, cmp.AllowUnexported(rowKey{})); diff != "" {
				t.Errorf("%s, %+v: -want +got\n%s", name, f, diff)
			}
			if diff := cmp.Diff(self, gotSelf, cmp.AllowUnexported(rowKey{})); diff != "" {
				t.Errorf("%s, %+v, without what they called: -want +got\n%s", name, f, diff)
			}
			if len(gotAll) != len(answer.Rows) {
				t.Errorf("%s, %+v: %d methods have %d rows", name, f, len(gotAll), len(answer.Rows))
			}
			if !slices.IsSortedFunc(answer.Rows, SortInclusive.compareRows) {
				t.Errorf("%s, %+v: not in order", name, f)
			}
			plain := p.Rows(Query{By: ByMethod, Filter: f})
			if answer.Selected != plain.Selected || len(plain.Rows) > len(answer.Rows) {
				t.Errorf("%s, %+v: %v in %d rows, without what they called %v in %d", name, f, answer.Selected,
					len(answer.Rows), plain.Selected, len(plain.Rows))
			}
		}
	}
	if called == 0 || recursive == 0 {
		t.Errorf("%d methods only called, %d times one was there already", called, recursive)
	}
}
