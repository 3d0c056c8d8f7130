package jvmtest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// CompareGolden compiles the Java sources in the folder testdata with every JDK, for release 11, and compares what text
// says of their class files, in order of the files' names, with the text beside each source. To update writes that
// anew; the test still fails.
func CompareGolden(t *testing.T, update bool, text func(t *testing.T, class []byte) string) {
	sources, err := filepath.Glob("testdata/*.java")
	if err != nil || len(sources) == 0 {
		t.Fatalf("no sources: %v", err)
	}
	ForEachJDK(t, func(t *testing.T, jdk JDK) {
		for _, source := range sources {
			got := ofClasses(t, jdk.MustJavac(t, []string{"--release", "11"}, source), text)
			golden := strings.TrimSuffix(source, ".java") + ".txt"
			want, err := os.ReadFile(golden)
			if err != nil && !update {
				t.Fatal(err)
			}
			diff := cmp.Diff(string(want), got)
			if diff == "" {
				continue
			}
			t.Errorf("%s: -want +got\n%s", golden, diff)
			if !update {
				continue
			}
			if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func ofClasses(t *testing.T, folder string, text func(t *testing.T, class []byte) string) string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*.class"))
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(paths)
	var all strings.Builder
	for _, path := range paths {
		class, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all.WriteString(text(t, class))
	}
	return all.String()
}
