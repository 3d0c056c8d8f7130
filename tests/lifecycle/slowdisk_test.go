package lifecycle_test

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"golang.org/x/sys/unix"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/trace"
)

// TestFrozenDisk records to a file that takes nothing while a program loads classes, a pipe that nobody reads: classes
// do not wait for it, or the agent would go on without answers, and what was recorded is whole when the reader comes
// back.
func TestFrozenDisk(t *testing.T) {
	t.Parallel()
	for _, track := range []string{"sites", "contexts"} {
		t.Run(track, func(t *testing.T) {
			t.Parallel()
			jdk := jvmtest.JDKs(t)[0]
			folder := t.TempDir()
			pipe, file := filepath.Join(folder, "pipe"), filepath.Join(folder, "run.mallard")
			if err := unix.Mkfifo(pipe, 0o600); err != nil {
				t.Fatal(err)
			}
			copied, hasLoaded := make(chan error, 1), make(chan struct{})
			go func() { copied <- copyLate(pipe, file, hasLoaded) }()
			command := mallardtest.Compiled(t, jdk, "Waits")
			command.Args = []string{"1000"}
			command.Wrap = []string{mallardtest.Binary(t), "run", "-q", "--force", "--no-cache", "--snapshots", "10ms",
				"--track", track, "-o", pipe, "--"}
			p := mallardtest.Spawn(t, jdk, command)
			longest := p.Line()
			close(hasLoaded)
			output, exit := p.Wait()
			if err := <-copied; err != nil {
				t.Fatal(err)
			}
			if _, err := strconv.Atoi(longest); err != nil || exit != 0 {
				t.Fatalf("exit code %d: %s%s%s", exit, longest, output, p.Stderr.String())
			}
			isUnanswered := func(l trace.Loss) bool { return l.Kind == "unanswered" }
			if p := mallardtest.Read(t, file); !p.Complete || slices.ContainsFunc(p.Losses, isUnanswered) {
				t.Errorf("the recording is not complete: %s, %v", p.Reason, p.Losses)
			}
		})
	}
}

// copyLate copies what is written to a pipe into a file, from some time on.
func copyLate(pipe, file string, begin <-chan struct{}) error {
	from, err := os.Open(pipe) // waits until somebody writes
	if err != nil {
		return err
	}
	defer from.Close()
	if _, err := unix.FcntlInt(from.Fd(), unix.F_SETPIPE_SZ, os.Getpagesize()); err != nil { // or it holds all there is
		return err
	}
	to, err := os.Create(file)
	if err != nil {
		return err
	}
	defer to.Close()
	<-begin
	_, err = io.Copy(to, from)
	return err
}
