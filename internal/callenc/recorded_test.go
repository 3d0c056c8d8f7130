package callenc

import (
	"flag"
	"testing"

	"mallard/internal/profile"
)

var recording = flag.String("recording", "", "recording of contexts to encode, made with mallard run --track contexts")

// TestRecorded encodes the contexts of a real program, once more after all its calls are known and have constants,
// decodes all of them, and says what that takes.
//
//	go test ./internal/callenc -run Recorded -v -recording FILE
func TestRecorded(t *testing.T) {
	if *recording == "" {
		t.Skip("no recording")
	}
	p, err := profile.Read(*recording)
	if err != nil {
		t.Fatal(err)
	}
	edge := func(i int) Edge {
		c := p.Contexts[i]
		e := Edge{Callee: Method(c.Method) + 1, Site: c.BCI}
		if c.Parent >= 0 {
			e.Caller = Method(p.Contexts[c.Parent].Method) + 1
		}
		return e
	}
	encode := func(x *Encoder) []Context {
		encoded := make([]Context, len(p.Contexts))
		for i, c := range p.Contexts { // a parent comes before its children
			var caller Context
			if c.Parent >= 0 {
				caller = encoded[c.Parent]
			}
			encoded[i] = x.Call(edge(i), caller)
		}
		return encoded
	}
	first := NewEncoder(0)
	encode(first)
	hot := map[Edge]uint64{}
	for i, c := range p.Contexts {
		hot[edge(i)] += uint64(c.Calls)
	}
	for _, limit := range []uint64{1 << 31, 1 << 44, 0} {
		x := NewEncoder(limit)
		x.Advance(hot)
		encoded := encode(x)
		epoch := x.current.Load()
		var calls, constant, zero, anchored, depth, links int64
		for i, c := range p.Contexts {
			calls += c.Calls
			if add, known := epoch.Add(edge(i)); known {
				constant += c.Calls
				if add == 0 {
					zero += c.Calls
				}
			} else {
				anchored += c.Calls
			}
			if i%97 == 0 {
				chain, err := x.Decode(edge(i).Callee, encoded[i])
				if err != nil {
					t.Fatal(err)
				}
				at := i
				for k := len(chain) - 1; k >= 0; k-- {
					if chain[k] != edge(at) {
						t.Fatalf("context %d: call %d is %v, decoded %v", i, k, edge(at), chain[k])
					}
					at = int(p.Contexts[at].Parent)
				}
				depth += int64(len(chain))
				for c := encoded[i]; c.Anchor != 0; c = x.anchors[c.Anchor].caller {
					links++
				}
			}
		}
		s := x.Stats()
		t.Logf("limit %d: %d contexts of %d methods; %d edges, %d anchors, %.1f MB; values to %d; of %d calls %.1f "+
			"%% add a constant, %.1f %% of these 0; %.1f %% have anchors; a chain of %.1f calls has %.2f anchors",
			limit, len(p.Contexts), len(p.Methods), s.Edges, s.Anchors, float64(s.Bytes())/1e6, s.Largest, calls,
			percent(constant, calls), percent(zero, constant), percent(anchored, calls),
			float64(depth)/float64(len(p.Contexts)/97+1), float64(links)/float64(len(p.Contexts)/97+1))
	}
}

func percent(part, whole int64) float64 { return 100 * float64(part) / float64(whole) }
