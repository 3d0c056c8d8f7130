package cli

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"
)

// What the answer about a recording may take of memory, and what it may print, unless told otherwise: a recording may
// come from a stranger, and a few KB of one can stand for gigabytes.
const (
	leastBound  = 256 << 20
	boundFactor = 64      // times the size of the file
	streamBound = 2 << 30 // of what has no size, as a pipe has none
)

// bound is the most that the answer about a recording may take of memory, and that it may print.
type bound struct {
	given byteSize // 0 for the default
	limit int64    // bytes; 0 until a recording is opened
	name  string   // of the recording

	temporary atomic.Pointer[string] // a file that is not complete yet
}

// addBound gives a command that reads a recording the flag for its bound.
func (p *program) addBound(cmd *cobra.Command) {
	cmd.Flags().Var(&p.bound.given, "max-memory", "stop where the answer takes more memory than `SIZE`, or is longer, "+
		"e.g. 4GiB (default 256 MiB and 64 times FILE's size)")
	completeFlag(cmd, "max-memory", []string{"1GiB", "4GiB", "16GiB"})
}

// byteSize is a flag's value: 512MB, 4GiB, 1000000.
type byteSize uint64

func (s *byteSize) String() string {
	if *s == 0 {
		return ""
	}
	return size(int64(*s))
}

func (s *byteSize) Type() string { return "SIZE" }

func (s *byteSize) Set(text string) error {
	n, err := humanize.ParseBytes(text)
	if err != nil || n < 1<<20 || n > 1<<60 {
		return fmt.Errorf("a size from 1MiB on, such as 4GiB")
	}
	*s = byteSize(n)
	return nil
}

// readingMemory is how much memory the collector lets a recording take before it
// collects more often: one of a million contexts needs half of it.
const readingMemory = 700 << 20

// start sets the limit for a recording, and ends this process where its memory exceeds it.
func (p *program) start(name string, info fs.FileInfo) {
	b := &p.bound
	if b.limit > 0 {
		return // a second look at the same file
	}
	b.name = name
	switch {
	case b.given > 0:
		b.limit = int64(b.given)
	case info.Mode().IsRegular():
		b.limit = leastBound + boundFactor*min(stored(info), 1<<50)
	default:
		b.limit = streamBound
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(max(min(readingMemory, b.limit*3/4), b.limit/2))
	}
	go p.watch(p.ended)
}

// stored is how many bytes of a file there are, holes left out.
func stored(info fs.FileInfo) int64 {
	const block = 512 // of st_blocks (stat(2))
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return min(info.Size(), stat.Blocks*block)
	}
	return info.Size()
}

// watch looks at this process' memory until the command ends.
func (p *program) watch(ended <-chan struct{}) {
	const interval = 5 * time.Millisecond
	for {
		select {
		case <-ended:
			return
		case <-time.After(interval):
		}
		if usedMemory() <= p.bound.limit {
			continue
		}
		runtime.GC() // what remains is needed
		if usedMemory() <= p.bound.limit {
			continue
		}
		if file := p.bound.temporary.Load(); file != nil {
			os.Remove(*file)
		}
		p.say("%s", p.bound.exceeded("takes more memory than"))
		p.Exit(exitFailure)
		return
	}
}

// usedMemory is this process', in bytes. What was asked for at once and not yet written to counts.
func usedMemory() int64 {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"},
		{Name: "/memory/classes/heap/free:bytes"}}
	metrics.Read(samples)
	return int64(samples[0].Value.Uint64() - samples[1].Value.Uint64() - samples[2].Value.Uint64())
}

// exceededError says that an answer was too much.
type exceededError struct{ text string }

func (e *exceededError) Error() string { return e.text }

func (b *bound) exceeded(what string) error {
	const more = 4
	return &exceededError{fmt.Sprintf("the answer about %s %s %s; if you trust that recording, try --max-memory %s",
		b.name, what, size(b.limit), size(more*b.limit))}
}

// size prints bytes as the flag takes them.
func size(bytes int64) string { return strings.ReplaceAll(humanize.IBytes(uint64(bytes)), " ", "") }

// within gives a writer of no more than the bound.
func (b *bound) within(write writer) writer {
	if b.limit == 0 {
		return write
	}
	return func(w io.Writer) error { return write(&boundedWriter{w: w, left: b.limit, bound: b}) }
}

type boundedWriter struct {
	w     io.Writer
	left  int64
	bound *bound
}

func (b *boundedWriter) Write(text []byte) (int, error) {
	if b.left -= int64(len(text)); b.left < 0 {
		return 0, b.bound.exceeded("is longer than")
	}
	return b.w.Write(text)
}
