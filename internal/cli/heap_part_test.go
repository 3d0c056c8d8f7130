package cli

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
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
	events := heaptest.Random(rand.New(rand.NewPCG(7, 8)), 60_000)
	recorded, err := heaptest.Keyframes(events, heap.NewFollower())
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "large.mallard")
	if err := os.WriteFile(file, recorded, 0o600); err != nil {
		t.Fatal(err)
	}
	answer := func(file string, words string) string {
		t.Helper()
		var out, errors bytes.Buffer
		Main(t.Context(), append(strings.Fields(words), file), Environment{Stdout: &out, Stderr: &errors})
		return out.String() + strings.ReplaceAll(errors.String(), file, "FILE")
	}
	for _, words := range []string{
		"heap --at 30000s --by class,space,age", "heap --at -100s", "heap --at gc:3", "heap --at gc:60000",
		"heap --map --at gc:31000", "heap --moved --at gc:50001", "heap --diff gc:20000..gc:20500",
		"heap --collections --from 30000s --to 30010s",
	} {
		t.Run(words, func(t *testing.T) {
			words += " --format csv"
			if diff := cmp.Diff(answer(pipe(t, recorded), words), answer(file, words)); diff != "" {
				t.Errorf("-all +part\n%s", diff)
			}
		})
	}
	for words, want := range map[string]string{
		"heap --at gc:40000":                           "\nRead        from 39",
		"heap --moved --at gc:50001 --format json":     `"collections": 0`,
		"heap --collections --from 30000s --to 30010s": "\nSpan        pauses that began from 30000.0 s to 30010.0 s",
		"heap --from 3s":                               "--from and --to are for --collections",
	} {
		if said := answer(file, words); !strings.Contains(said, want) {
			t.Errorf("%s: no %q in\n%s", words, want, said)
		}
	}
}

// pipe gives the name of a pipe that a recording comes out of, which is read as a whole.
func pipe(t *testing.T, recorded []byte) string {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	written := make(chan struct{})
	go func() {
		defer close(written)
		io.Copy(w, bytes.NewReader(recorded))
		w.Close()
	}()
	t.Cleanup(func() {
		r.Close()
		<-written
	})
	return fmt.Sprint("/dev/fd/", r.Fd())
}
