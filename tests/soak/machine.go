package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"mallard/internal/jvmtest"
)

// Machine runs programs and looks at their memory.
type Machine struct {
	Root, Mallard string
	Length        time.Duration
	Each          func(*Soak, Sample) // is told of each sample, if it is not nil
}

// heap is of a fixed size and touched at once, so that what else the JVM takes is seen.
var heap = []string{"-Xms64m", "-Xmx64m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
	"-XX:MaxMetaspaceSize=128m", "-XX:ReservedCodeCacheSize=32m"}

// Run runs a program for the machine's length of time, and gives a sample for each line that it printed, one a second.
func (m *Machine) Run(ctx context.Context, s *Soak) ([]Sample, error) {
	classes, err := s.JDK.Javac(nil, filepath.Join(m.Root, "tests", "testdata", "Churn.java"))
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "mallard-soak-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, "run.mallard")
	command := jvmtest.Command{Options: heap, Classpath: []string{classes}, Main: "Churn", Args: []string{s.Churn}}
	if !s.Plain {
		command.Wrap = append(append([]string{m.Mallard, "run", "-q", "-o", file}, s.Flags...), "--")
	}
	cmd := s.JDK.Exec(ctx, command)
	cmd.Stdin = nil // a pipe is
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	input, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	output, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	end := time.AfterFunc(m.Length, func() { input.Close() })
	defer end.Stop()
	samples, err := m.watch(s, cmd.Process.Pid, file, bufio.NewScanner(output))
	if ended := cmd.Wait(); ended != nil {
		return nil, fmt.Errorf("%w: %s", ended, stderr.String())
	}
	if stderr.Len() > 0 {
		return nil, fmt.Errorf("on stderr: %s", stderr.String())
	}
	return samples, err
}

// watch takes a sample for each line.
func (m *Machine) watch(s *Soak, pid int, file string, lines *bufio.Scanner) (samples []Sample, err error) {
	start := time.Now()
	for lines.Scan() {
		at := Sample{At: time.Since(start)}
		if _, err := fmt.Sscanf(lines.Text(), "%d threads %d loaders", &at.Threads, &at.Loaders); err != nil {
			return nil, fmt.Errorf("%q: %w", lines.Text(), err)
		}
		jvm := pid
		if !s.Plain {
			at.Recorder = memoryOf(pid)
			if jvm = childOf(pid); jvm == 0 {
				break // it has ended
			}
			if info, err := os.Stat(file); err == nil {
				at.File = info.Size()
			}
		}
		at.JVM = memoryOf(jvm)
		samples = append(samples, at)
		if m.Each != nil {
			m.Each(s, at)
		}
	}
	return samples, lines.Err()
}

// childOf gives a process's child that is java; 0 if there is none.
func childOf(pid int) int {
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid)) // the pattern is right
	for _, task := range tasks {
		list, _ := os.ReadFile(task) // none where the thread has ended
		for child := range strings.FieldsSeq(string(list)) {
			program, _ := os.Readlink(filepath.Join("/proc", child, "exe"))
			if filepath.Base(program) == "java" {
				n, _ := strconv.Atoi(child) // the kernel's number
				return n
			}
		}
	}
	return 0
}

// memoryOf gives what a process has resident; zero if it has ended.
func memoryOf(pid int) (m Memory) {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	for line := range strings.Lines(string(status)) {
		name, value, _ := strings.Cut(line, ":")
		kb, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 64) // of the others none
		switch name {
		case "RssAnon":
			m.Anonymous = kb << 10
		case "RssShmem":
			m.Shared = kb << 10
		}
	}
	return m
}
