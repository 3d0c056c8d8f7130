package classes_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// TestTwoVersions runs two builds of mallard with one cache folder, at once and in turns: each has its own library and
// its own cache of classes, and counts.
func TestTwoVersions(t *testing.T) {
	t.Parallel()
	jdk := jvmtest.JDKs(t)[0]
	home := t.TempDir()
	other := filepath.Join(t.TempDir(), "mallard")
	build := exec.Command("go", "build", "-ldflags=-buildid=other", "-o", other, "./cmd/mallard")
	build.Dir = jvmtest.MustRoot(t)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var all sync.WaitGroup
	for _, binary := range []string{mallardtest.Binary(t), other} {
		all.Go(func() {
			for range 3 {
				command, file := mallardtest.Profiled(t, mallardtest.Compiled(t, jdk, "Steps"))
				command.Wrap[0] = binary
				command.Wrap = append([]string{"env", "XDG_CACHE_HOME=" + home}, command.Wrap...)
				command.Stdin = "\n"
				output, err := jdk.Run(command)
				if err != nil || output.ExitCode != 7 {
					t.Errorf("%s: %v, exit code %d: %s", binary, err, output.ExitCode, output.Stderr)
					continue
				}
				if p := mallardtest.Read(t, file); !p.Complete || len(p.Losses) > 0 {
					t.Errorf("%s: complete %v, losses %v", binary, p.Complete, p.Losses)
				}
				if n := mallardtest.Objects(t, file, "Steps", "int[]"); n != 1000 {
					t.Errorf("%s: %d arrays", binary, n)
				}
			}
		})
	}
	all.Wait()
	if caches, err := os.ReadDir(filepath.Join(home, "mallard", "classes")); err != nil || len(caches) < 2 {
		t.Errorf("caches %v (%v)", caches, err)
	}
}
