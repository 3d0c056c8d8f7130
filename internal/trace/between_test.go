package trace

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestBetween compares spans of a file with what reading everything gives between the same two marks.
func TestBetween(t *testing.T) {
	var b bytes.Buffer
	long(t, &b, 50, 100)
	whole, _ := decode(t, b.Bytes())
	f := open(t, b.Bytes())
	for _, span := range [][2]int64{{0, 0}, {0, 20e9}, {21e9, 22e9}, {15e9, 35e9}, {35e9, 0}, {49e9, 0}} {
		var want []Record
		begun, cut := span[0] == 0, false
		for _, r := range whole {
			mark, is := r.(*Mark)
			switch {
			case !cut && (begun || IsDefinition(r)), cut && layoutOf(r.kind()).traits().has(summary):
				want = append(want, r)
			}
			if is && begun && span[1] > 0 && mark.Nanos >= span[1] {
				cut = true
			}
			begun = begun || is && mark.Nanos >= span[0]
		}
		r, err := f.Between(span[0], span[1])
		if err != nil {
			t.Fatal(err)
		}
		if got := all(t, r); !cmp.Equal(withoutIndex(want), withoutIndex(got)) || len(got) == 0 {
			t.Errorf("%v: -want +got:\n%s", span, cmp.Diff(want, got))
		}
	}
	r, err := f.Between(60e9, 0)
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = r.Next()
	}
	if late := new(NoSnapshot); errors.Is(err, io.EOF) || !errors.As(err, &late) || late.End != 49e9+1 {
		t.Errorf("behind the end: %v", err)
	}
}
