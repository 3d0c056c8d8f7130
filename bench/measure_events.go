package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"mallard/internal/jvmtest"
	"mallard/internal/recording"
	"mallard/internal/transport/events"
)

// Sizes of the rings that are measured, and of the records.
const (
	streamRing   = 16 << 20
	streamBytes  = 256 << 20
	costBytes    = 64 << 20
	idleInterval = 5 * time.Second
)

var (
	eventSizes    = []int{16, 64, 4096}
	eventContents = []string{"heap", "random"}
)

// measureEvents runs bench/events/producer.c against the recorder's reader.
func measureEvents(s *session) error {
	producer, err := s.eventProducer()
	if err != nil {
		return err
	}
	rings := new(EventRings)
	type key struct {
		size     int
		contents string
	}
	runs, nanos := map[key][]streamRun{}, map[int][]float64{}
	for round := range s.rounds {
		s.say("  round %d", round+1)
		for _, size := range eventSizes {
			for _, contents := range eventContents {
				run, err := s.stream(producer, size, contents)
				if err != nil {
					return err
				}
				runs[key{size, contents}] = append(runs[key{size, contents}], run)
			}
			output, _, err := s.readRing(producer, io.Discard, "cost", strconv.Itoa(size), s.shorter(costBytes/size))
			if err != nil {
				return err
			}
			ns, err := strconv.ParseFloat(strings.TrimSpace(output), 64)
			if err != nil {
				return err
			}
			nanos[size] = append(nanos[size], ns)
		}
	}
	for _, size := range eventSizes {
		for _, contents := range eventContents {
			of := func(value func(streamRun) float64) Spread {
				var values []float64
				for _, r := range runs[key{size, contents}] {
					values = append(values, value(r))
				}
				return spread(values)
			}
			rings.Streams = append(rings.Streams, EventStream{
				Size: size, Contents: contents,
				Rate:      of(func(r streamRun) float64 { return r.megabytes / r.elapsed.Seconds() }),
				Processor: of(func(r streamRun) float64 { return r.recorder.Seconds() * 1e3 / r.megabytes }),
				Producer:  of(func(r streamRun) float64 { return r.producer.Seconds() * 1e3 / r.megabytes }),
				File:      of(func(r streamRun) float64 { return r.file / r.megabytes }),
			})
		}
		rings.Producer = append(rings.Producer, EventCost{size, spread(nanos[size])})
	}
	if rings.IdleMicros, err = s.idleRing(); err != nil {
		return err
	}
	if rings.Collections, err = s.measureCollections(); err != nil {
		return err
	}
	s.figures.Events = rings
	return nil
}

// streamRun is one run of the producer, in megabytes of its records.
type streamRun struct {
	megabytes, file             float64
	elapsed, recorder, producer time.Duration
}

func (s *session) stream(producer string, size int, contents string) (run streamRun, err error) {
	file, err := os.CreateTemp("", "mallard-bench-")
	if err != nil {
		return run, err
	}
	defer os.Remove(file.Name())
	defer file.Close()
	_, run, err = s.readRing(producer, file, "stream", strconv.Itoa(size), s.shorter(streamBytes), contents)
	if err != nil {
		return run, err
	}
	info, err := file.Stat()
	if err != nil {
		return run, err
	}
	run.file = float64(info.Size()) / 1e6
	return run, nil
}

// readRing runs the producer on a ring whose records go into a recording, as in a session.
func (s *session) readRing(producer string, file io.Writer, arguments ...string) (
	output string, run streamRun, err error,
) {
	memory, shared, err := eventRing()
	if err != nil {
		return "", run, err
	}
	defer memory.Close()
	defer shared.Close()
	began, self, children := time.Now(), usage(unix.RUSAGE_SELF), usage(unix.RUSAGE_CHILDREN)
	target := recording.New(file, time.Now(), slog.New(slog.DiscardHandler), nil)
	gathered, lost := target.Events("bench", nil), uint64(0)
	var bytesRead int
	handler := func(e events.Event) {
		bytesRead += len(e.Data)
		gathered.Add(uint32(e.Ring), uint16(e.Kind), e.Data)
	}
	handlers := map[events.Kind]events.Handler{events.FirstKind: handler}
	reader := events.NewReader(memory, handlers, func(events.Loss) { lost++ })
	reader.Rest = gathered.Put
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		reader.Run(ctx)
	}()
	command := exec.Command(producer, arguments...)
	command.ExtraFiles = []*os.File{shared}
	var stdout bytes.Buffer
	command.Stdout, command.Stderr = &stdout, os.Stderr
	err = command.Run()
	stop()
	<-ended
	target.Finish(true, "")
	if e := target.Close(); err == nil {
		err = e
	}
	if err == nil && lost > 0 {
		err = fmt.Errorf("%d losses", lost)
	}
	return stdout.String(), streamRun{
		megabytes: float64(bytesRead) / 1e6, elapsed: time.Since(began),
		recorder: usage(unix.RUSAGE_SELF) - self, producer: usage(unix.RUSAGE_CHILDREN) - children,
	}, err
}

// eventRing makes a memory with one ring, and the file that producers map.
func eventRing() (*events.Memory, *os.File, error) {
	fd, err := unix.MemfdCreate("events", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		return nil, nil, err
	}
	file := os.NewFile(uintptr(fd), "events")
	memory, err := events.NewMemory(file, []events.Ring{{Bytes: streamRing}})
	if err != nil {
		file.Close()
		return nil, nil, err
	}
	return memory, file, nil
}

// idleRing is the processor time, in microseconds a second, of reading a ring that nobody writes to.
func (s *session) idleRing() (micros float64, err error) {
	memory, shared, err := eventRing()
	if err != nil {
		return 0, err
	}
	defer memory.Close()
	defer shared.Close()
	ctx, stop := context.WithTimeout(context.Background(), idleInterval)
	defer stop()
	before := usage(unix.RUSAGE_SELF)
	events.NewReader(memory, nil, func(events.Loss) {}).Run(ctx)
	return float64((usage(unix.RUSAGE_SELF) - before).Microseconds()) / idleInterval.Seconds(), nil
}

// eventProducer compiles the producer with the agent's rings.
func (s *session) eventProducer() (string, error) {
	header, err := exec.Command("go", "run", "mallard/internal/abi/gen", "header").Output()
	if err != nil {
		return "", err
	}
	folder, err := os.MkdirTemp("", "mallard-bench-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(folder)
	constants := filepath.Join(folder, "abi.h")
	if err := os.WriteFile(constants, header, 0o600); err != nil {
		return "", err
	}
	agent := filepath.Join(s.root, "agent", "events")
	source := filepath.Join(s.root, "bench", "events", "producer.c")
	return jvmtest.Executable(nil, source, agent+".c", agent+".h", constants)
}
