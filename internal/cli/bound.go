package cli

import (
	"fmt"
	"io"
	"io/fs"
	"strings"
	"sync/atomic"
	"syscall"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"
)

// What the answer about a recording may take of memory, and what it may print, unless told otherwise: a recording may
// come from somebody else, and a few KB of one can stand for gigabytes.
const (
	minBound    = 256 << 20
	boundFactor = 64      // times the size of the file
	streamBound = 2 << 30 // of what has no size, as a pipe has none
)

// bound is the most that the answer about a recording may take of memory, and that it may print.
type bound struct {
	given byteSize // 0 for the default
	more  int64    // bytes of other recordings that the answer is about as well
	times int64    // how much more than usual the answer may take; 0 for 1
	limit int64    // bytes; 0 until a recording is opened
	name  string   // of the recording

	sparing bool // of memory, rather than of time
	garbage int  // percent besides what lives, when the collector comes; 0 for readingGarbage

	temporary atomic.Pointer[string] // a file that is not complete yet
}

// addFlag gives a command that reads a recording the flag for the bound.
func (b *bound) addFlag(cmd *cobra.Command) {
	cmd.Flags().Var(&b.given, "max-memory", "stop if the answer needs more memory than `SIZE`, or is longer than "+
		"that, e.g. 4GiB (default 256 MiB plus 64 times the size of FILE)")
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
		return fmt.Errorf("not a size of 1MiB or more, such as 4GiB")
	}
	*s = byteSize(n)
	return nil
}

// start sets the limit for a recording, and reports false where there is one, since the file was open before.
func (b *bound) start(name string, info fs.FileInfo) bool {
	if b.limit > 0 {
		return false
	}
	b.name = name
	switch {
	case b.given > 0:
		b.limit = int64(b.given)
	case info.Mode().IsRegular():
		b.limit = max(1, b.times) * (minBound + boundFactor*min(stored(info)+b.more, 1<<45))
	default:
		b.limit = streamBound
	}
	return true
}

// stored is how many bytes of a file there are, holes left out.
func stored(info fs.FileInfo) int64 {
	const block = 512 // of st_blocks (stat(2))
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return min(info.Size(), stat.Blocks*block)
	}
	return info.Size()
}

// exceededError says that an answer was too much.
type exceededError struct{ text string }

func (e *exceededError) Error() string { return e.text }

func (b *bound) exceeded(what string) error {
	const more = 4
	return &exceededError{fmt.Sprintf("the answer about %s %s %s; if you trust the recording, try --max-memory %s",
		b.name, what, size(b.limit), size(more*b.limit))}
}

// size prints bytes as the flag takes them.
func size(bytes int64) string { return strings.ReplaceAll(humanize.IBytes(uint64(bytes)), " ", "") }

// within makes what writes an answer fail where that is longer than the bound.
func (b *bound) within(write func(io.Writer) error) func(io.Writer) error {
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
