package mallardtest

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"mallard/internal/jvmtest"
	"mallard/internal/profile"
	"mallard/internal/trace"
)

// Process is a running command whose input and output the test holds.
type Process struct {
	Cmd    *exec.Cmd
	Stderr bytes.Buffer

	t   *testing.T
	in  io.WriteCloser
	out *bufio.Reader
}

// Spawn starts a command, for jvmtest.DefaultTimeout at most.
func Spawn(t *testing.T, jdk jvmtest.JDK, command jvmtest.Command) *Process {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), jvmtest.DefaultTimeout)
	t.Cleanup(cancel)
	p := &Process{t: t, Cmd: jdk.Exec(ctx, command)}
	p.Cmd.Stdin = nil
	p.Cmd.Stderr = &p.Stderr
	var err error
	if p.in, err = p.Cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := p.Cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.out = bufio.NewReader(out)
	if err := p.Cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return p
}

// Line reads the next line of the standard output; "" at its end.
func (p *Process) Line() string {
	p.t.Helper()
	line, err := p.out.ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		p.t.Fatal(err)
	}
	return strings.TrimSuffix(line, "\n")
}

// Write writes to the standard input.
func (p *Process) Write(text string) {
	p.t.Helper()
	if _, err := io.WriteString(p.in, text); err != nil {
		p.t.Fatal(err)
	}
}

// Step lets the program Steps work once and waits until it has.
func (p *Process) Step() {
	p.t.Helper()
	p.Write("\n")
	if line := p.Line(); !strings.HasPrefix(line, "step ") {
		p.t.Fatalf("%q in place of a step; stderr:\n%s", line, p.Stderr.String())
	}
}

// Signal sends a signal to the process that was started, not to its children.
func (p *Process) Signal(s syscall.Signal) {
	p.t.Helper()
	if err := p.Cmd.Process.Signal(s); err != nil {
		p.t.Fatal(err)
	}
}

// Stop stops the process that was started, and waits until it stands still.
func (p *Process) Stop() {
	p.t.Helper()
	p.Signal(unix.SIGSTOP)
	if err := unix.Waitid(unix.P_PID, p.Cmd.Process.Pid, nil, unix.WSTOPPED|unix.WNOWAIT, nil); err != nil {
		p.t.Fatal(err)
	}
}

// Continue lets it go on.
func (p *Process) Continue() { p.Signal(unix.SIGCONT) }

// Close closes the input.
func (p *Process) Close() { p.in.Close() }

// End closes the input and waits.
func (p *Process) End() (output string, exit int) {
	p.t.Helper()
	p.Close()
	return p.Wait()
}

// Wait reads what is left of the output and gives the exit code: 128+N if signal N killed the process.
func (p *Process) Wait() (output string, exit int) {
	p.t.Helper()
	rest, err := io.ReadAll(p.out)
	if err != nil {
		p.t.Fatal(err)
	}
	p.Cmd.Wait()
	if status, ok := p.Cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return string(rest), 128 + int(status.Signal())
	}
	return string(rest), p.Cmd.ProcessState.ExitCode()
}

// Child gives the process that p started, which is there.
func (p *Process) Child() int {
	p.t.Helper()
	pid := p.Cmd.Process.Pid
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil {
		p.t.Fatal(err)
	}
	for _, task := range tasks {
		list, err := os.ReadFile(task)
		if err != nil {
			continue // the thread has ended
		}
		if fields := strings.Fields(string(list)); len(fields) > 0 {
			n, err := strconv.Atoi(fields[0])
			if err != nil {
				p.t.Fatal(err)
			}
			return n
		}
	}
	p.t.Fatalf("process %d has no child", pid)
	return 0
}

// Profiled gives a command under mallard, and the recording's file.
func Profiled(t *testing.T, command jvmtest.Command, flags ...string) (jvmtest.Command, string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "run.mallard")
	command.Wrap = append([]string{Binary(t), "run", "-o", file, "--exit-within", "1m"}, append(flags, "--")...)
	return command, file
}

// Objects sums what a class's sites allocated of a type.
func Objects(t *testing.T, file, class, allocated string) int64 {
	t.Helper()
	var n int64
	for _, site := range Read(t, file).Sites {
		if site.Class == class && site.Type == allocated {
			n += site.Amount.Objects
		}
	}
	return n
}

// EachRecord gives what can be read of a recording's records, one after the other.
func EachRecord(t *testing.T, file string, take func(trace.Record)) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	reader, err := trace.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for {
		record, err := reader.Next()
		if err != nil {
			return
		}
		take(record)
	}
}

func Read(t *testing.T, file string, also ...profile.Consumer) *profile.Profile {
	t.Helper()
	p, err := profile.Read(file, also...)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Messages picks what Mallard said from a program's standard error.
func Messages(stderr string) []string {
	var words []string
	for line := range strings.Lines(stderr) {
		if rest, ok := strings.CutPrefix(line, "mallard: "); ok {
			words = append(words, strings.TrimSuffix(rest, "\n"))
		}
	}
	return words
}

// WaitUntil returns once the recording satisfies a condition. It looks whenever the recording has been written to, or
// another one takes its name.
func WaitUntil(t *testing.T, file string, condition func() bool) {
	t.Helper()
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK)
	if err != nil {
		t.Fatal(err)
	}
	events := os.NewFile(uintptr(fd), "inotify")
	defer events.Close()
	if _, err := unix.InotifyAddWatch(fd, filepath.Dir(file), unix.IN_MODIFY|unix.IN_MOVED_TO); err != nil {
		t.Fatal(err)
	}
	if err := events.SetReadDeadline(time.Now().Add(jvmtest.DefaultTimeout / 3)); err != nil {
		t.Fatal(err)
	}
	begun := false // once the JVM has said enough of itself
	holds := func() bool {
		if !begun {
			_, err := profile.Read(file)
			begun = !errors.Is(err, profile.ErrEmpty)
		}
		return begun && condition()
	}
	for buffer := make([]byte, 4096); !holds(); {
		if _, err := events.Read(buffer); err != nil {
			t.Fatalf("waiting for a recording: %v", err)
		}
	}
}

// WriterOf finds the process that has a file open.
func WriterOf(t *testing.T, file string) int {
	t.Helper()
	links, err := filepath.Glob("/proc/[0-9]*/fd/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, link := range links {
		if to, err := os.Readlink(link); err == nil && to == file {
			pid, err := strconv.Atoi(strings.Split(link, "/")[2])
			if err != nil {
				t.Fatal(err)
			}
			return pid
		}
	}
	t.Fatalf("nobody has %s open", file)
	return 0
}

// RunWords runs a command with the test's environment changed by env.
func RunWords(t *testing.T, dir string, env []string, words ...string) jvmtest.Output {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), words[0], words[1:]...)
	cmd.Dir = dir
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.Contains(strings.SplitN(v, "=", 2)[0], "JAVA_")
	}), env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.Run() // how it ended is in the state
	if cmd.ProcessState == nil {
		t.Fatalf("%q cannot be started", words)
	}
	return jvmtest.Output{Stdout: stdout.String(), Stderr: stderr.String(), ExitCode: cmd.ProcessState.ExitCode()}
}
