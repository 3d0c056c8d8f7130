package lifecycle_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// daemon is a script that starts a command as no child of its own, and waits until that says that it is not recorded.
const daemon = `("$@" 2>said &)
while ! grep -q without said; do sleep 0.1; done
cat said >&2
exit 7`

// TestOtherUser has commands of root's start JVMs as another user: they are recorded. Those that are not below the
// command any more, as a daemon is not, run on without Mallard.
func TestOtherUser(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		jvmtest.Missing(t, "only root can start a program as somebody else")
	}
	if _, err := exec.LookPath("setpriv"); err != nil {
		jvmtest.Missing(t, "%v", err)
	}
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		classes := readable(t, mallardtest.Compiled(t, jdk, "Steps").Classpath[0])
		as := []string{"setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"}
		for _, test := range []struct {
			name     string
			before   []string
			recorded bool
		}{
			{"its command", as, true},
			{"a script's command", append([]string{"sh", "-c", `"$@"; exit $?`, "sh"}, as...), true},
			{"a command on the PATH", append(as, "bash", "-c", `shift; java "$@"; exit $?`, "bash"), true},
			{"a daemon's", append([]string{"sh", "-c", daemon, "sh", "setsid"}, as...), false},
		} {
			t.Run(test.name, func(t *testing.T) {
				folder := t.TempDir()
				file := filepath.Join(folder, "run.mallard")
				words := append([]string{mallardtest.Binary(t), "run", "-q", "-o", file, "--"}, test.before...)
				words = append(words, jdk.Tool("java"), "-cp", classes, "Steps")
				path := "PATH=" + filepath.Dir(jdk.Tool("java")) + ":" + os.Getenv("PATH")
				output := mallardtest.RunWords(t, folder, []string{path}, words...)
				if output.ExitCode != 7 || test.recorded && output.Stdout != "sum 0\n" {
					t.Errorf("exit code %d, %q: %s", output.ExitCode, output.Stdout, output.Stderr)
				}
				if _, err := os.Stat(file); (err == nil) != test.recorded {
					t.Errorf("recorded: %v; %s", err == nil, output.Stderr)
				} else if test.recorded {
					if p := mallardtest.Read(t, file); !p.Complete || len(p.Losses) > 0 {
						t.Errorf("complete: %v, losses %v", p.Complete, p.Losses)
					}
				}
			})
		}
	})
}

// readable copies a folder of classes to where every user can read it.
func readable(t *testing.T, classes string) string {
	t.Helper()
	folder, err := os.MkdirTemp("/tmp", "mallard-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	to := filepath.Join(folder, "classes")
	if err := os.CopyFS(to, os.DirFS(classes)); err != nil {
		t.Fatal(err)
	}
	err = filepath.Walk(folder, func(path string, _ os.FileInfo, err error) error {
		if err != nil {
			return err
		}
		return os.Chmod(path, 0o755)
	})
	if err != nil {
		t.Fatal(err)
	}
	return to
}
