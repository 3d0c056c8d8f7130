package instrument

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mallard/internal/jvmtest"
)

// TestUnshown: of classes whose constructors do with their object what their names say.
func TestUnshown(t *testing.T) {
	for _, jdk := range jvmtest.JDKs(t) {
		classes := jdk.MustJavac(t, []string{"-nowarn"}, filepath.Join("testdata", "Shows.java"))
		files, err := filepath.Glob(filepath.Join(classes, "Shows$*.class"))
		if err != nil {
			t.Fatal(err)
		}
		hides, shows := 0, 0
		for _, file := range files {
			_, name, _ := strings.Cut(strings.TrimSuffix(filepath.Base(file), ".class"), "$")
			if strings.Contains(name, "$") {
				continue
			}
			class, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			r, err := Rewrite(class, Options{Tags: true})
			if err != nil {
				t.Fatal(err)
			}
			want := strings.HasPrefix(name, "Hides")
			if r.Unshown != want {
				t.Errorf("%v: %s: %v", jdk, name, r.Unshown)
			}
			if want {
				hides++
			} else {
				shows++
			}
			for _, o := range []Options{{}, {Tags: true, Contexts: Hashed}} {
				if r, err = Rewrite(class, o); err != nil || r.Unshown {
					t.Errorf("%s without tags of sites: %v, %v", name, r.Unshown, err)
				}
			}
		}
		if hides != 6 || shows != 15 {
			t.Errorf("%d classes that hide, %d that show", hides, shows)
		}
	}
}
