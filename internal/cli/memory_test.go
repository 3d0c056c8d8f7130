package cli

import (
	"io"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/profile/profiletest"
)

// TestMemoryOfContexts holds reports on recordings with many contexts to a bound
// of memory: 1 GB for a million contexts in 2 GB.
func TestMemoryOfContexts(t *testing.T) {
	if jvmtest.RaceDetector() {
		t.Skip("the race detector takes memory of its own")
	}
	large, bound := profiletest.Large{Contexts: 100000, Threads: 20, Rounds: 3}, int64(200<<20)
	if os.Getenv("MALLARD_LONG") != "" {
		large, bound = profiletest.Large{Contexts: 1000000, Threads: 20, Rounds: 250}, 1<<30
	}
	for _, question := range [][]string{{"--top", "5"}, {"--by", "context"}, {"--format", "tree"}} {
		cmd := exec.Command("mallard", append([]string{"report", "/dev/stdin"}, question...)...)
		recording, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		cmd.Stderr = os.Stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		counted := &countingWriter{w: recording}
		if err := large.Write(counted); err != nil {
			t.Error(err)
		}
		recording.Close()
		if err := cmd.Wait(); err != nil {
			t.Fatal(err)
		}
		peak := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10
		if peak > bound {
			t.Errorf("%v took %d MiB, more than %d", question, peak>>20, bound>>20)
		}
		t.Logf("%v of %d contexts in %d MiB took %d MiB and %v of processor time", question, large.Contexts,
			counted.n>>20, peak>>20, cmd.ProcessState.UserTime())
		large.Rounds = min(large.Rounds, 3) // the length of the recording matters to one question as to all
	}
}

// countingWriter counts what goes to w.
type countingWriter struct {
	w io.Writer
	n int64
}

func (c *countingWriter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	return n, err
}
