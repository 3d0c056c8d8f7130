package placement

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/classfile"
	"mallard/internal/jvmtest"
)

var update = flag.Bool("update", false, "write golden files anew; the test still fails")

// TestGolden compiles the Java sources under testdata with every JDK, for release
// 11, and compares graphs and plans of all methods that allocate with the text
// beside the source.
func TestGolden(t *testing.T) {
	sources, err := filepath.Glob("testdata/*.java")
	if err != nil || len(sources) == 0 {
		t.Fatalf("no sources: %v", err)
	}
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for _, source := range sources {
			got := plansOf(t, jdk.MustJavac(t, []string{"--release", "11"}, source))
			golden := strings.TrimSuffix(source, ".java") + ".txt"
			want, err := os.ReadFile(golden)
			if err != nil && !*update {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("%s: -want +got\n%s", golden, diff)
				if *update {
					if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
	})
}

func plansOf(t *testing.T, folder string) string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*.class"))
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(paths)
	var s strings.Builder
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		class, err := classfile.Parse(b)
		if err != nil {
			t.Fatal(err)
		}
		err = eachMethodOf(class, func(m method) {
			fmt.Fprintf(&s, "%s\n%v", m.name, m.problem.Graph)
			for _, allocs := range m.problem.Allocs {
				for _, a := range allocs {
					fmt.Fprintf(&s, "%d allocates %v\n", a.At, a.Sites)
				}
			}
			for _, strategy := range strategies {
				pl, err := Place(m.problem, strategy)
				if err != nil {
					t.Fatalf("%s: %v", m.name, err)
				}
				s.WriteString(pl.String())
			}
			s.WriteByte('\n')
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return s.String()
}
