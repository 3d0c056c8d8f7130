package trace

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// TestAhead: what is read ahead is what Next gives, also of damaged files and up to an error of the file's, and can be
// left at any record.
func TestAhead(t *testing.T) {
	var file bytes.Buffer
	w := NewWriter(&file)
	for range 50 { // several blocks
		for _, record := range append(sample(), randomSnapshot(10_000)) {
			if err := w.Write(record); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	whole := file.Bytes()
	damaged, random := bytes.Clone(whole), rand.New(rand.NewPCG(1, 1))
	for range 3 {
		damaged[FileHeaderSize+random.IntN(len(damaged)-FileHeaderSize)] ^= 1
	}
	broken := errors.New("the disk is broken")
	for name, open := range map[string]func() io.Reader{
		"whole":   func() io.Reader { return bytes.NewReader(whole) },
		"damaged": func() io.Reader { return bytes.NewReader(damaged) },
		"cut":     func() io.Reader { return bytes.NewReader(whole[:len(whole)/2]) },
		"broken": func() io.Reader {
			return io.MultiReader(bytes.NewReader(whole[:len(whole)/2]), iotest.ErrReader(broken))
		},
	} {
		reader := func() *Reader {
			r, err := NewReader(open())
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		r := reader()
		var want []Record
		var wantErr error
		for wantErr == nil {
			var record Record
			if record, wantErr = r.Next(); wantErr == nil {
				want = append(want, record)
			}
		}
		damage := r.Damage()

		r = reader()
		var got []Record
		gotErr := io.EOF
		for record, err := range r.Ahead() {
			if err != nil {
				gotErr = err
				continue
			}
			got = append(got, record)
		}
		if diff := cmp.Diff(want, got); diff != "" || len(want) == 0 {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
		if diff := cmp.Diff(damage, r.Damage()); diff != "" || gotErr.Error() != wantErr.Error() {
			t.Errorf("%s: error %v, want %v; damage -want +got\n%s", name, gotErr, wantErr, diff)
		}
		if hasDamage := len(damage) > 0; hasDamage != (name == "damaged" || name == "cut") {
			t.Errorf("%s: damage %v", name, damage)
		}

		left := random.IntN(len(want))
		for record := range reader().Ahead() {
			if left--; left < 0 {
				break
			}
			if record == nil {
				t.Errorf("%s: too early an end", name)
			}
		}
	}
}

// panicking is a file that cannot even be read.
type panicking struct{}

func (panicking) Read([]byte) (int, error) { panic("the disk is on fire") }

// TestPanicAhead: who reads has to bear a panic, nobody else.
func TestPanicAhead(t *testing.T) {
	var file bytes.Buffer
	w := NewWriter(&file)
	for range 3 {
		if err := w.Write(randomSnapshot(100_000)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	for _, left := range []bool{false, true} { // before it comes to the panic
		r, err := NewReader(io.MultiReader(bytes.NewReader(file.Bytes()), panicking{}))
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		panicked := func() (panicked any) {
			defer func() { panicked = recover() }()
			for range r.Ahead() {
				if n++; left {
					break
				}
			}
			return nil
		}()
		if left && (panicked != nil || n != 1) || !left && (panicked != "the disk is on fire" || n != 3) {
			t.Errorf("left %v: %d records, panic %v", left, n, panicked)
		}
	}
}
