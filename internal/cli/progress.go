package cli

import (
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"mallard/internal/trace"
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

// steps returns what to call after each of some steps that go through the events of a recording, and at their end: a
// bar, as progress has it.
func (p *program) steps(events []*trace.Events, n int, what string) (step, end func()) {
	size := int64(0)
	for _, e := range events {
		size += int64(len(e.Data))
	}
	shown, ok := p.progress(size, what).(bar)
	if !ok {
		return func() {}, func() {}
	}
	return func() { shown.Add64(size / int64(n)) }, func() { shown.Close() }
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
