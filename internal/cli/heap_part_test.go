package cli

import (
	"bytes"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/heap"
	"mallard/internal/heap/heaptest"
)

// TestHeapPart: of a large recording that is read from a keyframe on, answers about moments have the rows that they
// have where all is read, and say what they leave out. What is earlier than the first keyframe is found as well, and
// what is not there is said to be missing as always.
func TestHeapPart(t *testing.T) {
	events := heaptest.Random(rand.New(rand.NewPCG(7, 8)), 48_000)
	recorded, err := heaptest.Keyframes(events, heap.NewFollower(false))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "large.mallard")
	if err := os.WriteFile(file, recorded, 0o600); err != nil {
		t.Fatal(err)
	}
	answer := func(file string, in io.Reader, words string) string {
		t.Helper()
		cmd := exec.Command("mallard", append(strings.Fields(words), file)...)
		cmd.Stdin = in
		said, _ := cmd.CombinedOutput() // what it says tells how it ended
		return strings.ReplaceAll(string(said), file, "FILE")
	}
	for _, words := range []string{
		"heap --at 30000s --by class,space,age", "heap --at -100s", "heap --at gc:3", "heap --at gc:48000",
		"heap --map --at gc:31000", "heap --moved --at gc:45001", "heap --diff gc:20000..gc:20500",
		"heap --collections --from 30000s --to 30010s",
	} {
		t.Run(words, func(t *testing.T) {
			words += " --format csv"
			all := answer("/dev/stdin", bytes.NewReader(recorded), words) // a pipe is read as a whole
			if diff := cmp.Diff(all, answer(file, nil, words)); diff != "" {
				t.Errorf("-all +part\n%s", diff)
			}
		})
	}
	for words, want := range map[string]string{
		"heap --at gc:40000":                           "\nRead        from 39",
		"heap --moved --at gc:45001 --format json":     `"collections": 0`,
		"heap --collections --from 30000s --to 30010s": "\nSpan        pauses that began from 30000.0 s to 30010.0 s",
		"heap --from 3s":                               "--from and --to need --collections",
	} {
		if said := answer(file, nil, words); !strings.Contains(said, want) {
			t.Errorf("%s: no %q in\n%s", words, want, said)
		}
	}
}
