package session

import (
	"io"
	"log/slog"
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"mallard/internal/abi"
	"mallard/internal/classes"
	"mallard/internal/counters"
	"mallard/internal/observe"
	"mallard/internal/recording"
	"mallard/internal/transport"
)

// noReaders is a watcher that never has a moment begin.
type noReaders struct{ observe.Watcher }

func (noReaders) Pause() time.Duration        { return time.Hour }
func (noReaders) Readers() map[string]float64 { return nil }

// TestMomentsAreSaid: the agent hears that a moment begins and ends where no class is to be changed for it.
func TestMomentsAreSaid(t *testing.T) {
	check := func(err error) {
		if t.Helper(); err != nil {
			t.Fatal(err)
		}
	}
	memory, err := unix.MemfdCreate("memory", unix.MFD_CLOEXEC)
	check(err)
	check(unix.Ftruncate(memory, abi.BlocksOffset+abi.SmallBlockBytes))
	blocks, err := counters.OpenMemory(os.NewFile(uintptr(memory), "memory"), 1, abi.SmallBlockBytes)
	check(err)
	defer blocks.Close()
	ends, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	check(err)
	check(unix.SetsockoptTimeval(ends[0], unix.SOL_SOCKET, unix.SO_RCVTIMEO, &unix.Timeval{Sec: 20})) // no answer
	agent, err := transport.NewConnFile(os.NewFile(uintptr(ends[0]), "agent"))
	check(err)
	control, err := transport.NewConnFile(os.NewFile(uintptr(ends[1]), "recorder"))
	check(err)
	defer control.Close()
	log := slog.New(slog.DiscardHandler)
	table := classes.New(classes.Options{}, blocks, counters.NewSpace(abi.SmallBlockBytes/8), &counters.Totals{}, nil,
		recording.New(io.Discard, time.Now(), log, nil), log)
	s := &Session{log: log, control: control, classes: table, watcher: noReaders{}, detaching: newDetaching()}
	go s.adapt(nil)
	next := func(flags uint32) {
		t.Helper()
		check(agent.Answer(abi.Retransformed, (&transport.Retransformed{}).Encode()))
		f, err := agent.Receive()
		check(err)
		var answer transport.RetransformAnswer
		check(answer.Decode(f.Payload))
		if answer.Flags != flags || len(answer.Classes) != 0 {
			t.Errorf("%+v, want flags %x and no class", answer, flags)
		}
	}
	const soon, late = time.Hour, 2 * time.Hour // of processor time, which this process has not had
	worth := map[string]float64{"demo/Main": 1}
	table.Watch(nil, nil, 0, 0)
	if orders := table.Watch(nil, worth, 0, soon); len(orders) != 1 { // here they end
		t.Fatalf("%d orders", len(orders))
	}
	next(abi.RetransformWatched)
	table.Watch(nil, nil, time.Hour, late)
	next(0)
	check(agent.Close())
	<-s.detaching.over
}
