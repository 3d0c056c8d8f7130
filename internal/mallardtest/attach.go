package mallardtest

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"mallard/internal/jvmtest"
)

// attachWithin is how long anything may take here, however busy the machine is.
const attachWithin = 2 * time.Minute

// Running is a program that was started without mallard, and waits until it may run.
type Running struct {
	PID            int
	Stdout, Stderr bytes.Buffer // to be read after Wait

	folder  string
	command *exec.Cmd
}

// StartLater starts a program in a JVM that has loaded all its classes, and waits for Go.
func StartLater(t *testing.T, jdk jvmtest.JDK, command jvmtest.Command) *Running {
	t.Helper()
	r := &Running{folder: t.TempDir()}
	command.Classpath = append([]string{Compiled(t, jdk, "Later").Classpath[0]}, command.Classpath...)
	command.Args = append([]string{r.folder, command.Main}, command.Args...)
	command.Main = "Later"
	r.command = jdk.Exec(context.Background(), command)
	r.command.Stdout, r.command.Stderr = &r.Stdout, &r.Stderr
	if err := r.command.Start(); err != nil {
		t.Fatal(err)
	}
	r.PID = r.command.Process.Pid
	t.Cleanup(func() { r.command.Process.Kill() })
	r.await(t, "ready")
	return r
}

func (r *Running) await(t *testing.T, file string) {
	t.Helper()
	for end := time.Now().Add(attachWithin); ; time.Sleep(5 * time.Millisecond) {
		if _, err := os.Stat(filepath.Join(r.folder, file)); err == nil {
			return
		}
		if syscall.Kill(r.PID, 0) != nil || time.Now().After(end) {
			t.Fatalf("the program has not come to %q\n%s", file, r.Stderr.String())
		}
	}
}

func (r *Running) may(t *testing.T, file string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(r.folder, file), nil, 0o600); err != nil {
		t.Fatal(err)
	}
}

// Go lets the program run, and waits until it has.
func (r *Running) Go(t *testing.T) {
	t.Helper()
	r.may(t, "go")
	r.await(t, "done")
}

// End lets the JVM end, and gives its exit code.
func (r *Running) End(t *testing.T) int {
	t.Helper()
	r.may(t, "end")
	return r.Wait(t)
}

// Wait waits for the JVM to end by itself.
func (r *Running) Wait(t *testing.T) int {
	t.Helper()
	err := r.command.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return r.command.ProcessState.ExitCode()
}

// Attached is a mallard that records a JVM which it attached to.
type Attached struct {
	File    string // the recording
	Process *os.Process

	lines   []string // of its standard error
	command *exec.Cmd
	said    chan string // a line of it each
}

// Attach has mallard attach to a JVM, and waits until the classes count that had been loaded.
func Attach(t *testing.T, pid string, flags ...string) *Attached {
	t.Helper()
	a := &Attached{File: filepath.Join(t.TempDir(), "attached.mallard"), said: make(chan string, 100)}
	arguments := append([]string{"attach", pid, "-o", a.File, "--answer-within", "60s", "--exit-within", "60s"},
		flags...)
	a.command = exec.Command(Binary(t), arguments...)
	stderr, err := a.command.StderrPipe()
	if err == nil {
		err = a.command.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	a.Process = a.command.Process
	t.Cleanup(func() { a.Process.Kill() })
	go func() {
		defer close(a.said)
		for lines := bufio.NewScanner(stderr); lines.Scan(); {
			a.said <- lines.Text()
		}
	}()
	end := time.After(attachWithin)
	for {
		select {
		case line, ok := <-a.said:
			if !ok {
				t.Fatalf("mallard attach has ended:\n%s", strings.Join(a.lines, "\n"))
			}
			a.lines = append(a.lines, line)
			if strings.Contains(line, "were changed within") {
				return a
			}
		case <-end:
			t.Fatalf("classes were not changed:\n%s", strings.Join(a.lines, "\n"))
		}
	}
}

// Wait waits until mallard has ended, and gives what it has said and its exit code.
func (a *Attached) Wait(t *testing.T) (stderr string, exitCode int) {
	t.Helper()
	for line := range a.said {
		a.lines = append(a.lines, line)
	}
	err := a.command.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return strings.Join(a.lines, "\n"), a.command.ProcessState.ExitCode()
}

// Detach has mallard leave the JVM, by "mallard detach", and waits until it has.
func (a *Attached) Detach(t *testing.T, pid string) (stderr string) {
	t.Helper()
	if out, err := exec.Command(Binary(t), "detach", pid).CombinedOutput(); err != nil {
		t.Fatalf("detach: %v\n%s", err, out)
	}
	stderr, code := a.Wait(t)
	if code != 0 {
		t.Fatalf("exit code %d\n%s", code, stderr)
	}
	return stderr
}
