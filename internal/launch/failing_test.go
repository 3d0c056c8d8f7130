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
	failAt    = "MALLARD_TEST_FAIL_AT"    // the number of a fault point
	failure   = "MALLARD_TEST_FAILURE"    // what happens there: die, stop
	reachedIn = "MALLARD_TEST_REACHED_IN" // a file that takes the names of fault points, a line each
	noCache   = "MALLARD_TEST_NO_CACHE"   // there is no class cache, unless it is ""
)

// TestMain is the recorder of these tests where an agent starts it.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[0] == "mallard" && os.Args[1] == "record" {
		recordUntilFailure()
	}
	os.Exit(m.Run())
}

// recordUntilFailure records until it kills itself, or is stopped for longer than the program waits.
func recordUntilFailure() {
	var mu sync.Mutex
	reached, err := os.OpenFile(os.Getenv(reachedIn), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		os.Exit(1)
	}
	n, last := 0, os.Getenv(failAt)
	err = Record(3, Options{Record: session.Options{Observers: registry.New(), NoCache: os.Getenv(noCache) != "",
		Fault: func(point string) {
			mu.Lock()
			defer mu.Unlock()
			fmt.Fprintln(reached, point)
			if n++; fmt.Sprint(n) == last {
				fail(os.Getenv(failure))
			}
		}}})
	if err != nil {
		os.Exit(1)
	}
	os.Exit(0)
}

// failures are the ways to fail.
var failures = []string{"die", "stop"}

func fail(how string) {
	switch how {
	case "die":
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	case "stop":
		again := fmt.Sprintf("sleep 1.5; kill -CONT %d", os.Getpid())
		if exec.Command("sh", "-c", again).Start() == nil {
			syscall.Kill(os.Getpid(), syscall.SIGSTOP)
		}
	}
}

// failing is a program with an agent that starts a recorder that fails.
type failing struct {
	folder  string
	command []string
	cache   string // a folder with the class cache that each run starts with; "" without
}

func newFailing(t *testing.T, jdk jvmtest.JDK, classes, options string) *failing {
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
		Options:   append(jvmtest.ShortRun(), "-agentpath:"+filepath.Join(folder, "libmallard.so")+"="+options),
		Classpath: []string{classes}, Main: "Faulty", Args: []string{folder},
	}
	return &failing{folder: folder, command: jdk.Exec(t.Context(), command).Args}
}

// warmed is the same with a class cache that has the JDK's classes. Of the program it has nothing, since a program of
// another name has filled it.
func (m *failing) warmed(t *testing.T) *failing {
	warm := *m
	warm.cache = t.TempDir()
	execute(t, warming(m.command), "", 0, "XDG_CACHE_HOME="+warm.cache)
	return &warm
}

// run has the recorder fail at its nth fault point, 0 for never. It returns the fault points that it reached.
func (m *failing) run(t *testing.T, how string, n int) (reached []string, stderr string) {
	if m.cache == "" {
		return execute(t, m.command, how, n, noCache+"=1")
	}
	return execute(t, m.command, how, n, "XDG_CACHE_HOME="+copyOf(t, m.cache))
}

func execute(t *testing.T, command []string, how string, n int, cache string) (reached []string, stderr string) {
	file := filepath.Join(t.TempDir(), "reached")
	var out, said bytes.Buffer
	c := exec.CommandContext(t.Context(), command[0], command[1:]...)
	c.Env = append(os.Environ(), fmt.Sprintf("%s=%d", failAt, n), failure+"="+how, reachedIn+"="+file, cache)
	c.Dir, c.Stdout, c.Stderr = t.TempDir(), &out, &said
	c.Run() // its exit code is looked at
	if code := c.ProcessState.ExitCode(); code != 7 || out.String() != "ran\n" {
		t.Errorf("%s at fault point %d: %v, output %q, stderr %s", how, n, c.ProcessState, out.String(), said.String())
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
	testFailures(t, "die", "", func(n int, reached []string, said string) bool {
		return n >= len(reached)/2 || strings.Contains(said, "runs on without Mallard")
	})
}

// TestStoppedRecorder has the recorder stopped at any moment for longer than the program waits. Mallard goes on, unless
// java.lang.Thread is among the classes that were not changed. It waits for a second, which no recorder needs that only
// has to wait for a processor.
func TestStoppedRecorder(t *testing.T) {
	testFailures(t, "stop", "answer-within=1s,", func(n int, reached []string, said string) bool {
		return n <= slices.Index(reached, "Runtime") || !strings.Contains(said, "runs on without Mallard")
	})
}

// testFailures has a program run with recorders that fail at one moment each. What was said must be right for the
// moment, of those that are reached. Without MALLARD_LONG each kind of tracking is on one of the JDKs, where recorders
// fail in one way at every other fault point, by its name, and in the other way at the others, and so around the
// message of the runtime classes: each JDK has either way at each name, and each kind of tracking too. Points that are
// reached until the runtime classes are there fail without a class cache, later ones with one: most of a recorder's
// work is what it does without.
func testFailures(t *testing.T, how, options string, right func(n int, reached []string, said string) bool) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		classes := compileFaulty(t, jdk)
		for i, track := range []struct {
			name, options string
			cached        bool // classes come out of the class cache
		}{
			{"sites", "track=sites", true},
			{"hashed", "track=contexts", true},
			{"tree", "track=contexts,contexts=tree", true},
			{"encoded", "track=contexts,contexts=encoded", true},
			{"constructors", "track=constructors", true},
			{"bytecodes of contexts", "track=contexts,bytecodes", true},
			{"all others", "track=sites+gc+objects,bytecodes,jni,snapshots=20ms", true},
			{"snapshots by bytecodes", "snapshots=1000bc", true},
		} {
			if !jvmtest.IsTurn(t, jdk, i) {
				continue
			}
			turn := i/len(jvmtest.JDKs(t)) + slices.Index(failures, how)
			takes := func(point string) bool { return (slices.Index(faultPoints(), point)+turn)%2 == 0 }
			t.Run(track.name, func(t *testing.T) {
				t.Parallel()
				early := map[string]bool{} // fault points by name
				cold := newFailing(t, jdk, classes, options+track.options)
				recorders := []*failing{cold}
				if track.cached {
					recorders = append(recorders, cold.warmed(t))
				}
				for _, m := range recorders {
					reached, said := m.run(t, "", 0)
					if len(reached) < 8 {
						t.Fatalf("faults can only be put in at %v; said %s", reached, said)
					}
					if slices.Contains(reached, "ClassCached") != (m != cold) {
						t.Errorf("classes came out of a cache: %v", m == cold)
					}
					if m == cold {
						for _, point := range reached[:slices.Index(reached, "Runtime")+2] {
							early[point] = true
						}
					}
					for _, n := range moments(reached, takes, m == cold && turn%2 == 0) {
						if early[reached[n-1]] != (m == cold) && track.cached && !jvmtest.Long() {
							continue
						}
						if _, said := m.run(t, how, n); !right(n, reached, said) {
							t.Errorf("%s at fault point %d, %s: said %q", how, n, reached[n-1], said)
						}
					}
				}
			})
		}
	})
}

// moments are the fault points at which the recorder fails: the first of each name that takes takes, and, if they are
// wanted, those around the message of the runtime classes; with MALLARD_LONG all.
func moments(reached []string, takes func(point string) bool, aroundRuntime bool) []int {
	var list []int
	seen := map[string]int{}
	runtime := slices.Index(reached, "Runtime")
	for i, point := range reached {
		seen[point]++
		if jvmtest.Long() || seen[point] == 1 && takes(point) || aroundRuntime && i > runtime-2 && i < runtime+2 {
			list = append(list, i+1)
		}
	}
	return list
}
