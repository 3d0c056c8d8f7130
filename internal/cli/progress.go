package cli

import (
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progressFrom is the size of a file, bytes, from which on reading it takes
// long enough to show how far it is.
const progressFrom = 32 << 20

// progress returns where to write what was read of size bytes: a bar, where a
// user is there to see it, or nothing. Close removes the bar.
func (p *program) progress(size int64, what string) io.WriteCloser {
	if size < progressFrom || !isTerminal(p.Stderr) {
		return noBar{}
	}
	return bar{progressbar.NewOptions64(size,
		progressbar.OptionSetWriter(p.Stderr),
		progressbar.OptionSetDescription(what),
		progressbar.OptionShowBytes(true),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish(),
	)}
}

// bar is a progress bar that goes away when it is closed, finished or not.
type bar struct{ *progressbar.ProgressBar }

func (b bar) Close() error { return b.Finish() }

// noBar shows nothing.
type noBar struct{}

func (noBar) Write(b []byte) (int, error) { return len(b), nil }
func (noBar) Close() error                { return nil }

// isTerminal reports whether a stream is a terminal.
func isTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}
