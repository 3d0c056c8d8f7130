package session_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
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
	"mallard/internal/payload"
	"mallard/internal/profile"
)

// process is a running command whose input and output the test holds.
type process struct {
	t      *testing.T
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr bytes.Buffer
}

// spawn starts a command, for jvmtest.DefaultTimeout at most.
func spawn(t *testing.T, jdk jvmtest.JDK, command jvmtest.Command) *process {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), jvmtest.DefaultTimeout)
	t.Cleanup(cancel)
	p := &process{t: t, cmd: jdk.Exec(ctx, command)}
	p.cmd.Stdin = nil
	p.cmd.Stderr = &p.stderr
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.out = bufio.NewReader(out)
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return p
}

// line reads the next line of the standard output; "" at its end.
func (p *process) line() string {
	p.t.Helper()
	line, err := p.out.ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		p.t.Fatal(err)
	}
	return strings.TrimSuffix(line, "\n")
}

// step lets [stepsProgram] work once and waits until it has.
func (p *process) step() {
	p.t.Helper()
	if _, err := io.WriteString(p.in, "\n"); err != nil {
		p.t.Fatal(err)
	}
	if line := p.line(); !strings.HasPrefix(line, "step ") {
		p.t.Fatalf("%q in place of a step; stderr:\n%s", line, p.stderr.String())
	}
}

// signal sends a signal to the process that was started, not to its children.
func (p *process) signal(s syscall.Signal) {
	p.t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		p.t.Fatal(err)
	}
}

// end closes the input and waits.
func (p *process) end() (output string, exit int) {
	p.t.Helper()
	p.in.Close()
	return p.wait()
}

// wait reads what is left of the output and gives the exit code: 128+N if signal N killed the process.
func (p *process) wait() (output string, exit int) {
	p.t.Helper()
	rest, err := io.ReadAll(p.out)
	if err != nil {
		p.t.Fatal(err)
	}
	p.cmd.Wait()
	if status, ok := p.cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return string(rest), 128 + int(status.Signal())
	}
	return string(rest), p.cmd.ProcessState.ExitCode()
}

// compiled compiles a program of this package's testdata.
func compiled(t *testing.T, jdk jvmtest.JDK, name string) jvmtest.Command {
	t.Helper()
	return jvmtest.Command{Classpath: []string{jdk.MustJavac(t, []string{"-nowarn"}, filepath.Join("testdata", name+".java"))}, Main: name}
}

// compiledWithAPI compiles a program of this package's testdata that uses Mallard's API.
func compiledWithAPI(t *testing.T, jdk jvmtest.JDK, name string, args ...string) jvmtest.Command {
	t.Helper()
	jar, err := payload.API()
	if err != nil {
		t.Fatal(err)
	}
	classes := jdk.MustJavac(t, []string{"-cp", jar}, filepath.Join("testdata", name+".java"))
	return jvmtest.Command{Classpath: []string{classes, jar}, Main: name, Args: args}
}

// profiled gives a command under mallard, and the recording's file.
func profiled(t *testing.T, command jvmtest.Command, flags ...string) (jvmtest.Command, string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "run.mallard")
	command.Wrap = append([]string{mallard(t), "run", "-o", file}, append(flags, "--")...)
	return command, file
}

// objects sums what a class's sites allocated of a type.
func objects(t *testing.T, file, class, allocated string) int64 {
	t.Helper()
	var n int64
	for _, site := range read(t, file).Sites {
		if site.Class == class && site.Type == allocated {
			n += site.Amount.Objects
		}
	}
	return n
}

func read(t *testing.T, file string) *profile.Profile {
	t.Helper()
	p, err := profile.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// mallardsWords picks what Mallard said from a program's standard error.
func mallardsWords(stderr string) []string {
	var words []string
	for line := range strings.Lines(stderr) {
		if rest, ok := strings.CutPrefix(line, "mallard: "); ok {
			words = append(words, strings.TrimSuffix(rest, "\n"))
		}
	}
	return words
}

// waitUntil returns once the recording satisfies a condition. It looks whenever the recording has been written to.
func waitUntil(t *testing.T, file string, condition func() bool) {
	t.Helper()
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK)
	if err != nil {
		t.Fatal(err)
	}
	events := os.NewFile(uintptr(fd), "inotify")
	defer events.Close()
	if _, err := unix.InotifyAddWatch(fd, file, unix.IN_MODIFY); err != nil {
		t.Fatal(err)
	}
	if err := events.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	for buffer := make([]byte, 4096); !condition(); {
		if _, err := events.Read(buffer); err != nil {
			t.Fatalf("waiting for a recording: %v", err)
		}
	}
}

func itoa(n int) string { return strconv.Itoa(n) }

// writerOf finds the process that has a file open.
func writerOf(t *testing.T, file string) int {
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

func mustSession(t *testing.T, pid int) int {
	t.Helper()
	session, err := unix.Getsid(pid)
	if err != nil {
		t.Fatal(err)
	}
	return session
}

// runWords runs a command with the test's environment changed by env.
func runWords(t *testing.T, dir string, env []string, words ...string) jvmtest.Output {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), words[0], words[1:]...)
	cmd.Dir = dir
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.Contains(strings.SplitN(v, "=", 2)[0], "JAVA_") }), env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.Run() // how it ended is in the state
	if cmd.ProcessState == nil {
		t.Fatalf("%q cannot be started", words)
	}
	return jvmtest.Output{Stdout: stdout.String(), Stderr: stderr.String(), ExitCode: cmd.ProcessState.ExitCode()}
}

func size(t *testing.T, file string) int64 {
	t.Helper()
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}
