package lifecycle_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// inFolder runs Steps under mallard in a folder of its own and gives the recordings there.
func inFolder(t *testing.T, folder string, flags []string, words ...string) (jvmtest.Output, []string) {
	t.Helper()
	jdk := jvmtest.JDKs(t)[0]
	command := mallardtest.Compiled(t, jdk, "Steps")
	command.Dir = folder
	command.Wrap = append(append([]string{mallardtest.Binary(t), "run"}, flags...), append([]string{"--"}, words...)...)
	output := jdk.MustRun(t, command)
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range files {
		files[i] = filepath.Base(files[i])
	}
	return output, files
}

func TestOutputNames(t *testing.T) {
	t.Parallel()
	twice := []string{"sh", "-c", `"$@"; exec "$@"`, "sh"}
	tests := []struct {
		name  string
		flags []string
		words []string
		want  []string // patterns of the files
	}{
		{"default", nil, nil, []string{`mallard-\d+\.mallard`}},
		{"named", []string{"-o", "a.mallard"}, nil, []string{`a\.mallard`}},
		{"process", []string{"-o", "a-%p-b"}, nil, []string{`a-\d+-b`}},
		{"time", []string{"-o", "a-%t.mallard"}, nil, []string{`a-\d{8}-\d{6}\.mallard`}},
		{"percent", []string{"-o", "100%%.mallard"}, nil, []string{`100%\.mallard`}},
		{"two", nil, twice, []string{`mallard-\d+\.mallard`, `mallard-\d+\.mallard`}},
		{"two, one name", []string{"-o", "a.mallard"}, twice, []string{`a-\d+\.mallard`, `a\.mallard`}},
		{"two, no extension", []string{"-o", "a"}, twice, []string{`a`, `a-\d+`}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			folder := t.TempDir()
			output, files := inFolder(t, folder, test.flags, test.words...)
			mallardtest.RanSteps(t, output, len(test.want))
			if !slices.EqualFunc(files, test.want, func(file, pattern string) bool {
				return regexp.MustCompile("^" + pattern + "$").MatchString(file)
			}) {
				t.Errorf("files %q, want %q", files, test.want)
			}
			for _, file := range files {
				if !mallardtest.Read(t, filepath.Join(folder, file)).Complete {
					t.Errorf("%s is not complete", file)
				}
				if !slices.Contains(mallardtest.Messages(output.Stderr), "wrote "+file) {
					t.Errorf("does not say that it wrote %s:\n%s", file, output.Stderr)
				}
			}
		})
	}
}

// TestOutputRefused holds outputs that are known to be impossible before the program starts: it does not.
func TestOutputRefused(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "old.mallard"), []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ output, want string }{
		{"old.mallard", "--force"},
		{"missing/a.mallard", "no such file or directory"},
		{"missing/%p.mallard", "no such file or directory"},
		{"old.mallard/%p.mallard", "not a directory"},
		{".", "--force"},
	} {
		output, _ := inFolder(t, folder, []string{"-o", test.output})
		words := mallardtest.Messages(output.Stderr)
		if output.Stdout != "" || output.ExitCode == 0 || len(words) != 1 || !strings.Contains(words[0], test.want) {
			t.Errorf("%s: %q, exit code %d, said %q, want one line with %q", test.output, output.Stdout,
				output.ExitCode, words, test.want)
		}
	}
	if content, err := os.ReadFile(filepath.Join(folder, "old.mallard")); err != nil || string(content) != "old" {
		t.Errorf("the old file holds %q (%v)", content, err)
	}
}

// TestOutputRefusedLate has an output that nobody could know to be impossible: the program runs without Mallard.
func TestOutputRefusedLate(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	output, files := inFolder(t, folder, []string{"-o", filepath.Join(folder, "%p", "a.mallard")})
	mallardtest.RanSteps(t, output, 1)
	if words := mallardtest.Messages(output.Stderr); len(words) != 1 ||
		!strings.Contains(words[0], "no such file or directory") {
		t.Errorf("said %q", words)
	}
	if len(files) > 0 {
		t.Errorf("left %q", files)
	}
}

func TestForce(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file := filepath.Join(folder, "old.mallard")
	old := strings.Repeat("old", 1<<20)
	if err := os.WriteFile(file, []byte(old), 0o600); err != nil {
		t.Fatal(err)
	}
	// What starts no JVM leaves it alone.
	inFolder(t, folder, []string{"--force", "-o", file}, "sh", "-c", "true")
	inFolder(t, folder, []string{"--force", "-o", file}, "no-such-command-here")
	if content, err := os.ReadFile(file); err != nil || string(content) != old {
		t.Errorf("the old file has %d bytes (%v)", len(content), err)
	}
	output, files := inFolder(t, folder, []string{"--force", "-o", file})
	mallardtest.RanSteps(t, output, 1)
	if p := mallardtest.Read(t, file); !p.Complete || len(p.Damage) > 0 {
		t.Errorf("complete: %v, damage %v", p.Complete, p.Damage)
	}
	if fmt.Sprint(files) != "[old.mallard]" {
		t.Errorf("files %q", files)
	}
}
