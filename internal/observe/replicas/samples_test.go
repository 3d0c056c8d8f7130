package replicas

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/transport"
)

// made tells samples of a stack that makes objects of a class, its frames innermost first.
func made(t *testing.T, s *samples, number uint32, class string, frames ...string) {
	t.Helper()
	m := &transport.SampledStack{Number: number, Class: class}
	for _, f := range frames {
		m.Frames = append(m.Frames, transport.SampledFrame{Class: f})
	}
	if err := s.stack(m); err != nil {
		t.Fatal(err)
	}
}

func watched(t *testing.T, s *samples, stack uint32, times int) {
	t.Helper()
	for range times {
		if err := s.sampled(&transport.Sampled{Made: stack, Bytes: 16, Objects: 1}); err != nil {
			t.Fatal(err)
		}
	}
}

// TestLikely: most is thought of an object's own class and of who is near to where it was made, arrays have no class
// with code, and what nothing is made for any more is forgotten.
func TestLikely(t *testing.T) {
	s := newSamples()
	made(t, s, 1, "Ldemo/Point;", "demo/Maker", "demo/Main")
	made(t, s, 2, "[I", "demo/Other")
	watched(t, s, 1, 2)
	watched(t, s, 2, 1)
	watched(t, s, 3, 1) // a stack that the agent had no room for
	want := map[string]float64{"demo/Point": 2, "demo/Maker": 2, "demo/Main": 1, "demo/Other": 1}
	if diff := cmp.Diff(want, s.likely()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	watched(t, s, 2, 20*halfLife)
	likely := s.likely()
	if len(likely) != 1 || likely["demo/Other"] < halfLife || likely["demo/Other"] > 2*halfLife {
		t.Errorf("thought of: %v", likely)
	}
}

// TestManyReaders: no more classes are kept than there is room for.
func TestManyReaders(t *testing.T) {
	s := newSamples()
	const each = 64                           // frames of the deepest stacks
	for stack := range uint32(halfLife - 1) { // nothing is forgotten
		var frames []string
		for i := range each {
			frames = append(frames, fmt.Sprintf("demo/C%d_%d", stack, i))
		}
		made(t, s, stack, fmt.Sprintf("Ldemo/Own%d;", stack), frames...)
		watched(t, s, stack, 1)
	}
	if n := len(s.likely()); n != maxReaders {
		t.Errorf("%d classes, want %d", n, maxReaders)
	}
}
