package jvmtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Command is a run of the java launcher.
type Command struct {
	Wrap      []string      // words before java, such as a profiler's: {"bin/mallard", "run", "--"}
	Options   []string      // JVM options: {"-Xint"}
	Classpath []string      // folders and jars
	Main      string        // main class
	Args      []string      // of the program
	Stdin     string        // everything the program can read
	Env       []string      // NAME=VALUE, over the test's own environment
	Dir       string        // working directory; "" the test's own
	Timeout   time.Duration // 0 is DefaultTimeout
}

// DefaultTimeout bounds a run: a JVM that takes longer hangs, also on a busy machine with the race detector.
const DefaultTimeout = 15 * time.Minute

// ShortRun gives options of the JVM for runs in which it does not matter how code is compiled, nor which collector
// there is: what C2 makes of a short program takes longer than it saves. The long tests run without them.
func ShortRun() []string {
	if Long() {
		return nil
	}
	return []string{"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"}
}

// oracleTimeout bounds runs under an oracle, which are interpreted and take many times as long.
const oracleTimeout = 10 * time.Minute

// Output is how a run ended.
type Output struct {
	Stdout, Stderr string
	ExitCode       int // 128+N when signal N killed the process
	Elapsed        time.Duration
	CPU            time.Duration // processor time of the process and of the processes it waited for
}

// ignoredVariables would let a user's shell change what a run does or prints.
var ignoredVariables = []string{"JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "CLASSPATH"}

// words returns the command line.
func (j JDK) words(c Command) []string {
	words := append(slices.Clone(c.Wrap), j.Tool("java"))
	words = append(words, c.Options...)
	if len(c.Classpath) > 0 {
		words = append(words, "-cp", strings.Join(c.Classpath, string(os.PathListSeparator)))
	}
	if c.Main != "" {
		words = append(words, c.Main)
	}
	return append(words, c.Args...)
}

// Exec prepares the command without starting it. Cancelling ctx kills it.
func (j JDK) Exec(ctx context.Context, c Command) *exec.Cmd {
	words := j.words(c)
	command := exec.CommandContext(ctx, words[0], words[1:]...)
	command.Dir = c.Dir
	command.Stdin = strings.NewReader(c.Stdin)
	command.Env = slices.DeleteFunc(os.Environ(), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return slices.Contains(ignoredVariables, name)
	})
	command.Env = append(command.Env, "LC_ALL=C.UTF-8")
	command.Env = append(command.Env, c.Env...)
	command.WaitDelay = 10 * time.Second // a grandchild may hold the pipes open
	return command
}

// Run runs the command to its end. A program that fails is no error; one that cannot be started or does not end in time
// is.
func (j JDK) Run(c Command) (Output, error) {
	timeout := c.Timeout
	if timeout == 0 {
		timeout = DefaultTimeout
	}
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	command := j.Exec(ctx, c)
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	start := time.Now()
	err := command.Run()
	output := Output{Stdout: stdout.String(), Stderr: stderr.String(), Elapsed: time.Since(start)}
	if state := command.ProcessState; state != nil {
		output.CPU = state.UserTime() + state.SystemTime()
	}
	line := strings.Join(j.words(c), " ")
	if ctx.Err() != nil {
		return output, fmt.Errorf("jvmtest: not finished after %v: %s\n%s", timeout, line, output.Stderr)
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return output, fmt.Errorf("jvmtest: %s: %w", line, err)
	}
	output.ExitCode = command.ProcessState.ExitCode()
	if status, ok := command.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		output.ExitCode = 128 + int(status.Signal())
	}
	return output, nil
}

// MustRun is Run for tests.
func (j JDK) MustRun(tb testing.TB, c Command) Output {
	tb.Helper()
	output, err := j.Run(c)
	if err != nil {
		tb.Fatal(err)
	}
	return output
}
