package events

import (
	"context"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"

	"mallard/internal/jvmtest"
)

// newMemory returns rings, and the file that a producer maps.
func newMemory(tb testing.TB, rings ...Ring) (*Memory, *os.File) {
	tb.Helper()
	fd, err := unix.MemfdCreate("events", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		tb.Fatal(err)
	}
	file := os.NewFile(uintptr(fd), "events")
	m, err := NewMemory(file, rings)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		m.Close()
		file.Close()
	})
	return m, file
}

// producer prepares testdata/producer.c with the agent's sources, compiled with further flags of the compiler, to run
// on the memory.
func producer(tb testing.TB, memory *os.File, flags []string, arguments ...string) *exec.Cmd {
	tb.Helper()
	binary, err := jvmtest.Executable(flags, sources(tb, "producer.c")...)
	if err != nil {
		tb.Fatal(err)
	}
	command := exec.Command(binary, arguments...)
	command.ExtraFiles = []*os.File{memory}
	command.Stderr = os.Stderr
	return command
}

// sources are what a program in testdata is compiled from.
func sources(tb testing.TB, name string) []string {
	tb.Helper()
	agent := filepath.Join(jvmtest.MustRoot(tb), "agent", "events")
	constants := filepath.Join(tb.TempDir(), "abi.h")
	if err := os.WriteFile(constants, header(tb), 0o600); err != nil {
		tb.Fatal(err)
	}
	return []string{filepath.Join("testdata", name), agent + ".c", agent + ".h", constants}
}

var printHeader = sync.OnceValues(func() ([]byte, error) {
	return exec.Command("go", "run", "mallard/internal/abi/gen", "header").Output()
})

func header(tb testing.TB) []byte {
	tb.Helper()
	text, err := printHeader()
	if err != nil {
		tb.Fatal(err)
	}
	return text
}

// scramble and what follows say what records testdata/producer.c writes.
func scramble(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func kindOf(n uint64) Kind { return FirstKind + Kind(scramble(n)%uint64(Kinds-FirstKind)) }

func sizeOf(n uint64, most int) int { return 8 + int(scramble(^n)%uint64(most-7)) }

func contents(n uint64, size int) []byte {
	b := binary.LittleEndian.AppendUint64(nil, n)
	for len(b) < size {
		b = binary.LittleEndian.AppendUint64(b, scramble(n*65536+uint64(len(b))))
	}
	return b[:size]
}

// sequence holds the records of a ring against those that the producer wrote: each is whole, and in its place but for
// those that are said to be lost there.
type sequence struct {
	t    *testing.T
	most int
	next uint64 // record
	read counts
	lost counts
	gaps int
}

func (s *sequence) event(e Event) {
	if s.t.Failed() {
		return
	}
	n := s.next
	want := contents(n, sizeOf(n, s.most))
	if e.Kind != kindOf(n) || string(e.Data) != string(want) {
		s.t.Errorf("record %d: kind %d, %d bytes % x..., want kind %d, %d bytes",
			n, e.Kind, len(e.Data), e.Data[:min(8, len(e.Data))], kindOf(n), len(want))
	}
	s.read[e.Kind]++
	s.next++
}

func (s *sequence) loss(l Loss) {
	if l.Reason != "" {
		s.t.Errorf("loss: %s", l.Reason)
	}
	if l.From == 0 || l.To != 0 && l.To < l.From {
		s.t.Errorf("lost from %d to %d", l.From, l.To)
	}
	s.gaps++
	var records uint64
	for _, c := range l.Counts {
		s.lost[c.Kind] += c.Records
		records += c.Records
	}
	var want counts
	for end := s.next + records; s.next < end; s.next++ {
		want[kindOf(s.next)]++
	}
	for _, c := range l.Counts {
		if c.Records != want[c.Kind] {
			s.t.Errorf("%d records of kind %d lost before record %d, want %d", c.Records, c.Kind, s.next, want[c.Kind])
		}
	}
}

func (s *sequence) handlers() map[Kind]Handler {
	all := map[Kind]Handler{}
	for k := FirstKind; k < Kinds; k++ {
		all[k] = s.event
	}
	return all
}

// run reads until the producer has ended.
func (s *sequence) run(m *Memory, command *exec.Cmd) (output string, err error) {
	s.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var reading sync.WaitGroup
	lost := func(l Loss) {
		s.loss(l)
		if s.t.Failed() {
			command.Process.Kill() // it may wait for a reader that has given up
		}
	}
	reading.Go(func() { NewReader(m, s.handlers(), lost).Run(ctx) })
	var out strings.Builder
	command.Stdout = &out
	err = command.Run()
	cancel()
	reading.Wait()
	return out.String(), err
}
