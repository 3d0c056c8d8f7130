package launch

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"mallard/internal/jvmtest"
	"mallard/internal/observe/registry"
	"mallard/internal/profile"
	"mallard/internal/session"
	"mallard/internal/trace"
)

// run runs the program, with a copy of a class cache, until all of the recorder's parts, or the fault, had their turn:
// fault says of each point whether it breaks now, and whether the program may end. Returned is what the program
// printed, its exit code, what was said and how long it took.
func run(t *testing.T, words []string, cache, file string, observed observing,
	fault func(string) (breaks, enough bool)) (out string, code int, said string, took time.Duration) {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", cache)
	end := filepath.Join(t.TempDir(), "end")
	words = append(slices.Clone(words), end)
	observers := registry.New()
	if err := observers.Track(observed.track); err != nil {
		t.Fatal(err)
	}
	for _, o := range observers.Options() {
		if value, ok := observed.options[o.Name]; ok {
			if err := o.Set(value); err != nil {
				t.Fatal(err)
			}
		}
	}
	var stdout, stderr stream
	started := time.Now()
	code, err := Run(context.Background(), Options{
		Command: words, Output: file, Quiet: true, Stdout: &stdout, Stderr: &stderr,
		Record: session.Options{Observers: observers, AdaptSoon: true, Fault: func(point string) {
			breaks, enough := fault(point)
			if enough {
				os.WriteFile(end, nil, 0o600) // where this fails the program ends by itself, late
			}
			if breaks {
				panic("injected at " + point)
			}
		}},
	})
	if err != nil {
		fmt.Fprint(&stderr, err)
	}
	return stdout.String(), code, stderr.String(), time.Since(started)
}

// stream takes what the program and mallard say at the same time.
type stream struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *stream) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(b)
}

func (s *stream) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// observing is what is observed, with options of observers.
type observing struct {
	name    string
	track   []string
	options map[string]string
	late    []string // fault points that are reached some time
}

var observings = []observing{
	{"sites", []string{"sites"}, map[string]string{"snapshots": "20ms"}, []string{"unload", "decide"}},
	{"contexts", []string{"contexts"}, map[string]string{"snapshots": "20ms"}, []string{"unload"}}, // no class adapts
	{"copies", []string{"replicas"},
		map[string]string{"replicas": "sampled", "sampling-pause": "0s", "show-values": ""},
		[]string{"Sampled", "SampledStack", "SampledPair", "SampledValue", "SampledWhole"}},
	{"all else", []string{"sites", "gc"}, map[string]string{"snapshots": "1000bc", "jni": ""}, []string{"unload"}},
}

// TestFaults has each goroutine and each handler of the recorder panic, the first time, on one of the JDKs (and with
// MALLARD_LONG the third, and on each): the program's output and exit code are as ever, it takes no longer, and the
// recording can be read and says so.
func TestFaults(t *testing.T) {
	for _, jdk := range jvmtest.JDKs(t) {
		t.Run(jdk.String(), func(t *testing.T) {
			classes := compileFaulty(t, jdk)
			words := jdk.Exec(t.Context(), jvmtest.Command{Classpath: []string{classes}, Main: "Faulty"}).Args
			broken, ran := map[string]bool{}, 0
			for _, o := range observings {
				t.Run(o.name, func(t *testing.T) {
					ran++
					injectAll(t, jdk, words, o, broken)
				})
			}
			for i, point := range faultPoints() {
				if ran == len(observings) && jvmtest.IsTurn(t, jdk, i) && !broken[point] {
					t.Errorf("nothing broke at %q", point)
				}
			}
		})
	}
}

// outside of a recording are points where what breaks is said, and nobody can write it down. At the first two there is
// no recording yet.
var outside = []string{"accept", "agent", "signals", "await", "encode", "flush", "conclude"}

// injectAll breaks what can be broken where this is observed; without MALLARD_LONG not what was broken already, nor
// what is broken on another JDK.
func injectAll(t *testing.T, jdk jvmtest.JDK, words []string, observed observing, broken map[string]bool) {
	var mu sync.Mutex
	late := observed.late
	unbroken := func(words []string, cache string) (points map[string]int, took time.Duration) {
		points = map[string]int{}
		_, _, _, took = run(t, words, cache, filepath.Join(t.TempDir(), "plain.mallard"), observed,
			func(point string) (breaks, enough bool) {
				mu.Lock()
				defer mu.Unlock()
				points[point]++
				return false, !slices.ContainsFunc(late, func(l string) bool { return points[l] == 0 })
			})
		return points, took
	}
	cache := t.TempDir()
	unbroken(warming(words), cache)
	points, plain := unbroken(words, copyOf(t, cache))
	if len(points) < 8 || slices.ContainsFunc(late, func(l string) bool { return points[l] == 0 }) {
		t.Fatalf("faults can only be put in at %v", points)
	}
	for point, times := range points {
		turn := max(slices.Index(faultPoints(), point), 0)
		if broken[point] && !jvmtest.Long() || !jvmtest.IsTurn(t, jdk, turn) {
			continue
		}
		broken[point] = true
		for _, n := range []int{1, 3} {
			if n > times || n > 1 && !jvmtest.Long() {
				continue
			}
			if point == "encode" {
				n += 10 // behind what says whose recording it is
			}
			t.Run(strings.ReplaceAll(point, "/", "_")+map[int]string{1: "", 3: " later"}[n], func(t *testing.T) {
				file := filepath.Join(t.TempDir(), "run.mallard")
				seen := map[string]int{}
				copied := copyOf(t, cache)
				out, code, said, took := run(t, words, copied, file, observed, func(at string) (breaks, enough bool) {
					mu.Lock()
					defer mu.Unlock()
					seen[at]++
					breaks = at == point && seen[at] == n
					return breaks, breaks || !slices.ContainsFunc(late, func(l string) bool { return seen[l] == 0 })
				})
				if out != "ran\n" || code != 7 {
					t.Errorf("printed %q, exit code %d; said %s", out, code, said)
				}
				if took > 3*plain+slower {
					t.Errorf("took %v, without the fault %v", took, plain)
				}
				if slices.Contains(outside, point) && !strings.Contains(said, "injected at "+point) {
					t.Errorf("said %s", said)
				}
				if slices.Contains(outside[:2], point) {
					return
				}
				p, err := profile.Read(file)
				if err != nil {
					t.Fatal(err)
				}
				reported := slices.ContainsFunc(p.Losses, func(l trace.Loss) bool {
					return strings.Contains(l.Detail, "injected")
				})
				if !reported && !slices.Contains(outside, point) && !strings.Contains(p.Reason, "injected") {
					t.Errorf("the recording says nothing of the fault: %v, %s", p.Losses, p.Reason)
				}
			})
		}
	}
}

// slower is how much longer than without a fault a run may take, beside what a busy machine makes of it: three times as
// long. What waits for a recorder that is gone waits for ever.
const slower = 5 * time.Second
