package launch

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/observe/registry"
	"mallard/internal/session"
)

// In the environment of a recorder that is this test's own binary.
const (
	dieAt     = "MALLARD_TEST_DIE_AT"     // the number of a fault point
	reachedIn = "MALLARD_TEST_REACHED_IN" // a file that takes the names of fault points, a line each
)

// TestMain is the recorder of TestKilledRecorder where an agent starts it.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[0] == "mallard" && os.Args[1] == "record" {
		recordMortally()
	}
	os.Exit(m.Run())
}

// recordMortally records until it kills itself.
func recordMortally() {
	var mu sync.Mutex
	reached, err := os.OpenFile(os.Getenv(reachedIn), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		os.Exit(1)
	}
	n, last := 0, os.Getenv(dieAt)
	err = Record(3, Options{Record: session.Options{Observers: registry.New(), NoCache: true,
		Fault: func(where string) {
			mu.Lock()
			defer mu.Unlock()
			fmt.Fprintln(reached, where)
			if n++; fmt.Sprint(n) == last {
				syscall.Kill(os.Getpid(), syscall.SIGKILL)
				select {}
			}
		}}})
	if err != nil {
		os.Exit(1)
	}
	os.Exit(0)
}

// mortal is a program with an agent that starts a recorder that dies.
type mortal struct {
	folder  string
	command []string
}

func newMortal(t *testing.T, jdk jvmtest.JDK, classes, options string) *mortal {
	folder := t.TempDir()
	library, err := os.ReadFile(mallardtest.Library(t))
	self, e := os.Executable()
	err = errors.Join(err, e)
	if err == nil {
		err = errors.Join(os.WriteFile(filepath.Join(folder, "libmallard.so"), library, 0o700),
			os.Symlink(self, filepath.Join(folder, "mallard")))
	}
	if err != nil {
		t.Fatal(err)
	}
	command := jvmtest.Command{
		Options:   []string{"-agentpath:" + filepath.Join(folder, "libmallard.so") + "=" + options},
		Classpath: []string{classes}, Main: "Faulty",
	}
	return &mortal{folder, jdk.Exec(t.Context(), command).Args}
}

// run has the recorder die at its nth fault point, 0 for never. It returns the fault points that it reached.
func (m *mortal) run(t *testing.T, n int) (reached []string, stderr string) {
	file := filepath.Join(t.TempDir(), "reached")
	var out, said bytes.Buffer
	c := exec.CommandContext(t.Context(), m.command[0], append(m.command[1:], m.folder)...)
	c.Env = append(os.Environ(), fmt.Sprintf("%s=%d", dieAt, n), reachedIn+"="+file)
	c.Dir, c.Stdout, c.Stderr = t.TempDir(), &out, &said
	c.Run() // its exit code is looked at
	if code := c.ProcessState.ExitCode(); code != 7 || out.String() != "ran\n" {
		t.Errorf("the recorder died at fault point %d: %v, output %q, stderr %s",
			n, c.ProcessState, out.String(), said.String())
	}
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(b)), said.String()
}

// TestKilledRecorder has the recorder die at any moment, from the first message on: the program's output and exit code
// are as ever.
func TestKilledRecorder(t *testing.T) {
	others := 1
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		others = 1 - others // without MALLARD_LONG one JDK has every other kind of tracking, the next one the others
		source := filepath.Join(t.TempDir(), "Faulty.java")
		if err := os.WriteFile(source, []byte(faulty), 0o600); err != nil {
			t.Fatal(err)
		}
		classes := jdk.MustJavac(t, []string{"-nowarn"}, source)
		for i, track := range []struct{ name, options string }{
			{"sites", "track=sites"},
			{"hashed", "track=contexts"},
			{"tree", "track=contexts,contexts=tree"},
			{"encoded", "track=contexts,contexts=encoded"},
		} {
			if !jvmtest.Long() && i%2 != others {
				continue
			}
			t.Run(track.name, func(t *testing.T) {
				m := newMortal(t, jdk, classes, track.options)
				reached, _ := m.run(t, 0)
				for _, n := range moments(reached) {
					if _, said := m.run(t, n); !strings.Contains(said, "runs on without Mallard") &&
						n < len(reached)/2 {
						t.Errorf("fault point %d, %s: nobody said that it died: %s", n, reached[n-1], said)
					}
				}
			})
		}
	})
}

// moments are the fault points at which the recorder dies: the first of each name, and those around the message of the
// runtime classes; with MALLARD_LONG all.
func moments(reached []string) []int {
	var list []int
	seen := map[string]int{}
	runtime := slices.Index(reached, "Runtime")
	for i, where := range reached {
		seen[where]++
		if jvmtest.Long() || seen[where] == 1 || i > runtime-2 && i < runtime+2 {
			list = append(list, i+1)
		}
	}
	return list
}
