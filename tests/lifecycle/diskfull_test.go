package lifecycle_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/trace"
)

// TestDiskFull records onto a disk that has less room than a recording needs.
func TestDiskFull(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if err := unix.Mount("tmpfs", folder, "tmpfs", 0, "size=32k"); err != nil {
		jvmtest.Missing(t, "only root can make a small disk: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(folder, 0); err != nil {
			t.Error(err)
		}
	})
	output, _ := inFolder(t, folder, []string{"-o", "run.mallard"})
	mallardtest.RanSteps(t, output, 1)
	if words := mallardtest.Messages(output.Stderr); len(words) != 1 ||
		!strings.Contains(words[0], "run.mallard is incomplete") || !strings.Contains(words[0], "no space left") {
		t.Errorf("said %q", words)
	}
	p := mallardtest.Read(t, filepath.Join(folder, "run.mallard"))
	missing := slices.ContainsFunc(p.Damage, func(d *trace.Damage) bool {
		return d.Records > 0 && d.Reason == "could not be written: no space left on device"
	})
	if p.Complete || len(p.Losses) == 0 || !missing {
		t.Errorf("complete: %v, losses %v, damage %v", p.Complete, p.Losses, p.Damage)
	}
}

// TestFileLimit takes the room away while the program runs (RLIMIT_FSIZE, which also sends SIGXFSZ) and gives it back,
// or does not.
func TestFileLimit(t *testing.T) {
	t.Parallel()
	jdk := jvmtest.JDKs(t)[0]
	for _, recovers := range []bool{false, true} {
		t.Run(map[bool]string{false: "for good", true: "for a while"}[recovers], func(t *testing.T) {
			command, file := mallardtest.Profiled(t, mallardtest.Compiled(t, jdk, "Steps"))
			p := mallardtest.Spawn(t, jdk, command)
			p.Step()
			mallardtest.WaitUntil(t, file, func() bool {
				return mallardtest.Objects(t, file, "Steps", "int[]") == 1000
			})
			limit := unix.Rlimit{Cur: uint64(size(t, file)), Max: unix.RLIM_INFINITY}
			if err := unix.Prlimit(p.Cmd.Process.Pid, unix.RLIMIT_FSIZE, &limit, nil); err != nil {
				t.Fatal(err)
			}
			p.Step()
			if recovers {
				limit.Cur = unix.RLIM_INFINITY
				if err := unix.Prlimit(p.Cmd.Process.Pid, unix.RLIMIT_FSIZE, &limit, nil); err != nil {
					t.Fatal(err)
				}
				mallardtest.WaitUntil(t, file, func() bool {
					return mallardtest.Objects(t, file, "Steps", "int[]") == 2000
				})
			}
			if output, exit := p.End(); output != "sum 14000\n" || exit != 7 {
				t.Errorf("%q, exit code %d", output, exit)
			}
			words := mallardtest.Messages(p.Stderr.String())
			if want := map[bool]string{false: "is incomplete", true: "wrote "}[recovers]; len(words) != 1 ||
				!strings.Contains(words[0], want) {
				t.Errorf("said %q, want %q", words, want)
			}
			want := map[bool]int64{false: 1000, true: 2000}[recovers]
			if n := mallardtest.Objects(t, file, "Steps", "int[]"); n != want {
				t.Errorf("%d arrays, want %d", n, want)
			}
			if mallardtest.Read(t, file).Complete != recovers {
				t.Errorf("complete: %v", !recovers)
			}
		})
	}
}

// TestFullFromTheStart writes to a device that never has room.
func TestFullFromTheStart(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if err := os.Symlink("/dev/full", filepath.Join(folder, "run.mallard")); err != nil {
		t.Fatal(err)
	}
	output, _ := inFolder(t, folder, []string{"--force", "-o", "run.mallard"})
	mallardtest.RanSteps(t, output, 1)
	if words := mallardtest.Messages(output.Stderr); len(words) != 1 || !strings.Contains(words[0], "incomplete") {
		t.Errorf("said %q", words)
	}
}

func size(t *testing.T, file string) int64 {
	t.Helper()
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}
