package lifecycle_test

import (
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// TestFrozenDisk records to a file that takes nothing for some seconds, a pipe that nobody reads: classes do not wait
// for it, and what was recorded is whole when the reader comes back.
func TestFrozenDisk(t *testing.T) {
	t.Parallel()
	const frozen = 8 * time.Second
	for _, track := range []string{"sites", "contexts"} {
		t.Run(track, func(t *testing.T) {
			t.Parallel()
			jdk := jvmtest.JDKs(t)[0]
			folder := t.TempDir()
			pipe, file := filepath.Join(folder, "pipe"), filepath.Join(folder, "run.mallard")
			if err := unix.Mkfifo(pipe, 0o600); err != nil {
				t.Fatal(err)
			}
			copied := make(chan error, 1)
			go func() { copied <- copyLate(pipe, file, frozen) }()
			command := mallardtest.Compiled(t, jdk, "Waits")
			command.Args = []string{"1000"}
			command.Wrap = []string{mallardtest.Binary(t), "run", "-q", "--force", "--no-cache", "--snapshots", "10ms",
				"--track", track, "-o", pipe, "--"}
			output := jdk.MustRun(t, command)
			if err := <-copied; err != nil {
				t.Fatal(err)
			}
			longest, err := strconv.Atoi(strings.TrimSpace(output.Stdout))
			if err != nil || output.ExitCode != 0 {
				t.Fatalf("exit code %d: %s%s", output.ExitCode, output.Stdout, output.Stderr)
			}
			if !jvmtest.RaceDetector() && longest > int(frozen.Milliseconds())/2 { // or the start takes as long
				t.Errorf("a class waited %d ms", longest)
			}
			if p := mallardtest.Read(t, file); !p.Complete {
				t.Errorf("the recording is not complete: %s, %v", p.Reason, p.Losses)
			}
		})
	}
}

// copyLate copies what is written to a pipe into a file, from some time on after it was opened.
func copyLate(pipe, file string, late time.Duration) error {
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
	<-time.After(late)
	_, err = io.Copy(to, from)
	return err
}
