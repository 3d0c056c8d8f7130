package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"mallard/internal/jvmtest"
)

// Machine runs cases.
type Machine struct {
	Root, Mallard, Library string

	mu     sync.Mutex
	plain  map[string]func() (Outcome, error)       // by program and JDK
	length map[string]func() (time.Duration, error) // of lives, by the same and the way to record
}

// adoptJVMs makes this process the parent of JVMs whose recorder was killed, so that it learns how they end; and its
// children heed signals that it ignores, as under nohup.
func adoptJVMs() error {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP, syscall.SIGINT, syscall.SIGTERM)
	return unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
}

// libraryOf gives the agent's library.
func libraryOf(binary string) (string, error) {
	out, err := exec.Command(binary, "agentpath").Output()
	return strings.TrimSpace(string(out)), err
}

// Check runs a case and says what is wrong; nil if nothing is.
func (m *Machine) Check(c *Case) error {
	plain, err := m.without(c)
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "mallard-torture-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	var at time.Duration
	if c.Kill != nil {
		length, err := m.lengthOf(c)
		if err != nil {
			return err
		}
		at = time.Duration(c.Kill.At * float64(length))
	}
	file := filepath.Join(folder, "run.mallard")
	got, err := m.run(c, folder, file, at)
	if err != nil {
		return err
	}
	return errors.Join(compare(&plain, &got), c.checkRecording(file, &plain, got.Said))
}

// once gives what f gives, for a key.
func once[T any](m *Machine, all *map[string]func() (T, error), key string, f func() (T, error)) (T, error) {
	m.mu.Lock()
	if *all == nil {
		*all = map[string]func() (T, error){}
	}
	known := (*all)[key]
	if known == nil {
		known = sync.OnceValues(f)
		(*all)[key] = known
	}
	m.mu.Unlock()
	return known()
}

// without runs a case's program without Mallard, once.
func (m *Machine) without(c *Case) (Outcome, error) {
	return once(m, &m.plain, strings.Join([]string{c.Group, c.Ending.Name, c.Collector, c.JDK.Home}, "/"),
		func() (Outcome, error) {
			folder, err := os.MkdirTemp("", "mallard-torture-")
			if err != nil {
				return Outcome{}, err
			}
			defer os.RemoveAll(folder)
			out, err := m.run(c, folder, "", 0)
			if err == nil && out.Hung {
				err = fmt.Errorf("%s without Mallard does not end", c.Name())
			}
			return out, err
		})
}

// lengthOf gives how long a case's program lives when its recorder does.
func (m *Machine) lengthOf(c *Case) (time.Duration, error) {
	whole := *c
	whole.Kill = nil
	return once(m, &m.length, whole.Name(), func() (took time.Duration, err error) {
		for range 2 { // the first fills the class cache
			folder, err := os.MkdirTemp("", "mallard-torture-")
			if err != nil {
				return 0, err
			}
			out, err := m.run(&whole, folder, filepath.Join(folder, "run.mallard"), 0)
			if err := errors.Join(err, os.RemoveAll(folder)); err != nil {
				return 0, err
			}
			took = out.Took
		}
		return took, nil
	})
}

// words is the command of a case, with Mallard where there is a file.
func (m *Machine) words(c *Case, file string) ([]string, error) {
	classes, err := c.JDK.Javac(nil, filepath.Join(m.Root, "tests", "testdata", "Endings.java"))
	if err != nil {
		return nil, err
	}
	var words []string
	if c.Ending.Shell != "" {
		words = []string{"sh", "-c", c.Ending.Shell + `; exec "$@"`, "sh"}
	}
	jvm := c.options()
	switch {
	case file == "":
	case c.Alone:
		jvm = append(jvm, fmt.Sprintf("-agentpath:%s=quiet,file=%s,%s", m.Library, file, strings.Join(c.Flags, ",")))
	default:
		words = append(append(append(words, m.Mallard, "run", "-q", "-o", file), c.Flags...), "--")
	}
	command := jvmtest.Command{Wrap: words, Options: jvm, Classpath: []string{classes}, Main: "Endings",
		Args: []string{c.Ending.Argument}}
	return c.JDK.Exec(context.Background(), command).Args, nil
}

// run runs a case in a folder, with Mallard where there is a file, and does to it what is done, or kills the recorder
// when the JVM has lived so long.
func (m *Machine) run(c *Case, folder, file string, at time.Duration) (Outcome, error) {
	words, err := m.words(c, file)
	if err != nil {
		return Outcome{}, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Dir, cmd.Env = folder, jvmtest.JDK.Exec(c.JDK, ctx, jvmtest.Command{}).Env
	var stderr bytes.Buffer
	stdout := &lines{line: c.Ending.Line, found: make(chan struct{})}
	cmd.Stdout, cmd.Stderr = stdout, &stderr
	input, err := cmd.StdinPipe()
	if err != nil {
		return Outcome{}, err
	}
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return Outcome{}, err
	}
	p := &processes{command: cmd.Process.Pid, mallard: file != "", alone: c.Alone, file: file}
	signals := make(chan error, 1)
	go func() { signals <- p.do(ctx, c, stdout, at, input) }()
	limit := time.AfterFunc(runTimeout, func() {
		cancel()
		p.end()
	})
	cmd.Wait() // how it ended is in the state; it waits for the ends of the streams, which the JVM has open
	hung := !limit.Stop()
	cancel()
	err = <-signals
	input.Close()
	out := Outcome{Hung: hung, Stdout: stdout.String(), Stderr: stderr.String(), Took: time.Since(start)}
	out.Exit = p.exit(cmd.ProcessState)
	p.settle()
	if p.vanished { // it ended before all was done to it
		err = nil
	}
	out.settle()
	return out, err
}
