package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// processes are those of a case that runs: the command, which is mallard or the JVM, the JVM and the recorder.
type processes struct {
	command  int
	mallard  bool
	alone    bool         // the JVM is the command, and has started its recorder
	file     string       // that the recorder has open
	jvm      atomic.Int64 // once known
	killed   bool         // the recorder, by us
	vanished bool         // one of them was not there any more
}

// end kills a JVM that does not end by itself.
func (p *processes) end() {
	if jvm := int(p.jvm.Load()); jvm != 0 && jvm != p.command { // a child of ours, not waited for
		unix.Kill(jvm, unix.SIGKILL)
	}
}

// do waits for the program's line, or for the moment, and does to it what the case says.
func (p *processes) do(ctx context.Context, c *Case, out *lines, at time.Duration, input io.Closer) error {
	signals := c.Ending.Signals
	switch {
	case c.Kill != nil && p.mallard:
		if err := p.findJVM(ctx); err != nil {
			return err
		}
		select {
		case <-time.After(at):
		case <-ctx.Done():
		}
		signals = []Signal{{Recorder, syscall.SIGKILL}}
	case c.Ending.Line != "":
		select {
		case <-out.found:
		case <-ctx.Done():
			return fmt.Errorf("the program did not print %q", c.Ending.Line)
		}
		if err := p.findJVM(ctx); err != nil {
			return err
		}
	}
	for i, signal := range signals {
		if i > 0 && signal.Signal == unix.SIGCONT {
			time.Sleep(200 * time.Millisecond) // that is how long it is stopped, which is no waiting for an event
		}
		if err := p.send(signal); err != nil {
			return err
		}
	}
	if !c.Ending.goesOn() {
		return nil
	}
	if err := input.Close(); !errors.Is(err, os.ErrClosed) { // which it is once the program has ended
		return err
	}
	return nil
}

// findJVM finds the child of mallard that has become java: mallard has others, for moments.
func (p *processes) findJVM(ctx context.Context) error {
	if !p.mallard || p.alone {
		p.jvm.Store(int64(p.command))
		return nil
	}
	for ctx.Err() == nil {
		tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", p.command))
		if err != nil {
			return err
		}
		for _, task := range tasks {
			list, _ := os.ReadFile(task) // none where the thread has ended
			for _, child := range strings.Fields(string(list)) {
				program, _ := os.Readlink(filepath.Join("/proc", child, "exe"))
				if filepath.Base(program) != "java" {
					continue
				}
				jvm, err := strconv.Atoi(child)
				p.jvm.Store(int64(jvm))
				return err
			}
		}
		time.Sleep(time.Millisecond)
	}
	p.vanished = true
	return errors.New("mallard has no child")
}

// send sends a signal, and waits for the death of a recorder that is killed.
func (p *processes) send(d Signal) error {
	pid := p.command
	switch d.To {
	case JVM:
		pid = int(p.jvm.Load())
	case Recorder:
		switch {
		case !p.mallard:
			return nil
		case p.alone:
			if pid = writerOf(p.file); pid == 0 {
				p.vanished = true
				return nil
			}
		}
		p.killed = d.Signal == unix.SIGKILL
	}
	handle, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		p.vanished = true
		return nil
	}
	defer unix.Close(handle)
	if err := unix.PidfdSendSignal(handle, d.Signal, nil, 0); err != nil {
		p.vanished = true
		return nil
	}
	if d.To == Recorder && d.Signal == unix.SIGKILL {
		for err = unix.EINTR; err == unix.EINTR; { // the runtime's own signals interrupt it
			_, err = unix.Poll([]unix.PollFd{{Fd: int32(handle), Events: unix.POLLIN}}, 10_000)
		}
	}
	return err
}

// writerOf finds the process that has a file open; 0 if none has.
func writerOf(file string) int {
	links, err := filepath.Glob("/proc/[0-9]*/fd/*")
	if err != nil {
		return 0
	}
	for _, link := range links {
		if to, err := os.Readlink(link); err == nil && to == file {
			pid, _ := strconv.Atoi(strings.Split(link, "/")[2]) // as the pattern says
			return pid
		}
	}
	return 0
}

// settle waits until nobody has the recording open: a recorder that the agent started may outlive the JVM.
func (p *processes) settle() {
	for end := time.Now().Add(runTimeout); p.alone && writerOf(p.file) != 0 && time.Now().Before(end); {
		time.Sleep(10 * time.Millisecond)
	}
}

// exit gives the exit code of the command, or of the JVM where the command was mallard, which was killed.
func (p *processes) exit(state *os.ProcessState) int {
	status := state.Sys().(syscall.WaitStatus) // on Linux
	if jvm := int(p.jvm.Load()); p.killed && jvm != 0 && jvm != p.command && status.Signaled() {
		var own unix.WaitStatus
		if _, err := unix.Wait4(jvm, &own, 0, nil); err != nil {
			return unknown // mallard, when it was killed, had taken it already
		}
		status = syscall.WaitStatus(own)
	}
	if status.Signaled() {
		return 128 + int(status.Signal())
	}
	return status.ExitStatus()
}
