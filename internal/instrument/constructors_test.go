package instrument

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mallard/internal/jvmtest"
)

// TestBehind: calls of constructors say that they always come behind new where nothing can throw in between, and
// nowhere else.
func TestBehind(t *testing.T) {
	classes := jvmtest.JDKs(t)[0].MustJavac(t, []string{"--release", "11"}, filepath.Join("testdata", "Entered.java"))
	b, err := os.ReadFile(filepath.Join(classes, "Entered.class"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := Rewrite(b, Options{Contexts: Hashed, Constructors: true})
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, m := range r.Methods {
		if m.Name == "<init>" || m.Context == nil {
			continue
		}
		checked++
		if n := len(m.Context.Constructions); n != 1 {
			t.Fatalf("%s calls %d constructors", m.Name, n)
		}
		behind := m.Context.Constructions[0].Behind
		if want := strings.HasPrefix(m.Name, "certain"); behind > 0 != want {
			t.Errorf("%s: %d bytes behind new", m.Name, behind)
		}
	}
	if checked != 10 {
		t.Errorf("%d methods", checked)
	}
}
