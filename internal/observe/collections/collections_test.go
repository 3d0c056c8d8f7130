package collections

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
)

// logged is what the JVM's log says of a collection.
type logged struct {
	Number        int
	Kind          string
	Cause         string
	pause         time.Duration
	before, after int // MB
}

const mega = 1 << 20

var (
	pauseLine = regexp.MustCompile(`GC\((\d+)\) (?:[YOyo]: )?Pause (Young|Full|[A-Z][A-Za-z ]+?)` +
		`((?: \([^()]*(?:\(\))?\))*)(?: (\d+)M->(\d+)M\(\d+M\))? ([0-9.]+)ms\n`)
	cycleLine = regexp.MustCompile(`\[gc *\] GC\((\d+)\) ` +
		`(Concurrent Mark Cycle|Concurrent Undo Cycle|Garbage Collection|M[a-z]+ Collection)`)
)

// readLog gives the pauses in the order in which they ended, and the concurrent cycles by their numbers.
func readLog(t *testing.T, file string) (pauses []logged, cycles map[int]string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range pauseLine.FindAllStringSubmatch(string(text), -1) {
		l := logged{Kind: strings.ToLower(m[2])}
		l.Number, _ = strconv.Atoi(m[1])
		l.before, _ = strconv.Atoi(m[4])
		l.after, _ = strconv.Atoi(m[5])
		ms, _ := strconv.ParseFloat(m[6], 64)
		l.pause = time.Duration(ms * float64(time.Millisecond))
		notes := strings.Split(strings.Trim(strings.TrimSuffix(m[3], ")"), " ("), ") (")
		if l.Kind == young && slices.Contains(notes, "Mixed") {
			l.Kind = mixed
		}
		notes = slices.DeleteFunc(notes, func(s string) bool { return strings.HasPrefix(s, "Evacuation Failure") })
		if l.Kind == young || l.Kind == full || l.Kind == mixed {
			l.Cause = notes[len(notes)-1]
		}
		pauses = append(pauses, l)
	}
	cycles = map[int]string{}
	for _, m := range cycleLine.FindAllStringSubmatch(string(text), -1) {
		number, _ := strconv.Atoi(m[1])
		cycles[number] = strings.ToLower(m[2])
	}
	return pauses, cycles
}

// collect runs the program, recorded, with a log, and gives the rows of both.
func collect(t *testing.T, jdk jvmtest.JDK, times int, options ...string) (
	rows []row, pauses []logged, cycles map[int]string,
) {
	dir := t.TempDir()
	log := filepath.Join(dir, "gc.log")
	command := jvmtest.Command{
		Options:   append([]string{"-Xlog:gc*:file=" + log + ":tags"}, options...),
		Classpath: []string{jdk.MustJavac(t, nil, filepath.Join("testdata", "Collects.java"))},
		Main:      "Collects", Args: []string{strconv.Itoa(times)},
	}
	command, file := mallardtest.Profiled(t, command, "-q")
	jdk.MustRun(t, command)
	events := profile.Events{Name: nil}
	p := mallardtest.Read(t, file, events)
	for _, l := range p.Losses {
		t.Errorf("loss: %s: %s", l.Kind, l.Detail)
	}
	pauses, cycles = readLog(t, log)
	return interpret(p.Process, decode(events[Name])), pauses, cycles
}

// TestCollections holds what is recorded against the JVM's own log of the same run.
func TestCollections(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for _, collector := range []string{"Serial", "Parallel", "G1"} {
			t.Run(collector, func(t *testing.T) {
				options := []string{"-XX:+Use" + collector + "GC", "-Xmx200m"}
				if collector == "G1" { // many concurrent cycles
					options = append(options, "-XX:-G1UseAdaptiveIHOP", "-XX:InitiatingHeapOccupancyPercent=10")
				}
				mostAgree(t, func(kinds map[string]agreement) { compareWithLog(t, jdk, collector, options, kinds) })
			})
		}
	})
}

// compareWithLog runs the program once, and counts the pauses that agree.
func compareWithLog(t *testing.T, jdk jvmtest.JDK, collector string, options []string, kinds map[string]agreement) {
	rows, want, cycles := collect(t, jdk, 400_000, options...)
	if len(want) < 15 {
		t.Fatalf("%d pauses are nothing to compare", len(want))
	}
	got := pausesOf(rows)
	if diff := cmp.Diff(linesOfLog(want), linesOfRows(got)); diff != "" {
		t.Fatalf("-logged +recorded\n%s", diff)
	}
	compareBytes(t, collector, got, want)
	if collector == "G1" && len(cycles) < 2 {
		t.Errorf("%d cycles are nothing to compare", len(cycles))
	}
	last := 0
	for _, r := range rows {
		last = max(last, int(r.number))
		if r.pause == nil && cycles[int(r.number)] != r.kind {
			t.Errorf("cycle %d: %s, logged %q; pauses %q", r.number, r.kind, cycles[int(r.number)], linesOfRows(got))
		}
		if r.pause == nil {
			delete(cycles, int(r.number))
		}
	}
	delete(cycles, last) // it may have ended as the JVM did
	if len(cycles) > 0 {
		t.Errorf("cycles that are not recorded: %v", cycles)
	}
	comparePauses(t, got, want, kinds)
}

// pausesOf are the rows of pauses, in the order in which they ended.
func pausesOf(rows []row) (pauses []row) {
	for _, r := range rows {
		if r.pause != nil {
			pauses = append(pauses, r)
		}
	}
	slices.SortStableFunc(pauses, func(a, b row) int { return int(a.start + *a.pause - b.start - *b.pause) })
	return pauses
}

func linesOfLog(list []logged) (text []string) {
	for _, l := range list {
		text = append(text, fmt.Sprintf("GC(%d) %s %s", l.Number, l.Kind, l.Cause))
	}
	return text
}

func linesOfRows(rows []row) (text []string) {
	for _, r := range rows {
		cause := ""
		if r.cause != nil {
			cause = *r.cause
		}
		text = append(text, fmt.Sprintf("GC(%d) %s %s", r.number, r.kind, cause))
	}
	return text
}

// Pauses differ by the work that is between the JVM's clock and ours: some 10 us, on a busy machine, which has other
// things in its caches, up to 180. Where another process gets the processor in between it is more, which says nothing
// of Mallard: so most pauses of each kind have to agree, and where they do not, those of more runs are added.
const (
	tolerance = 0.05
	floor     = 250 * time.Microsecond
	runs      = 5
)

// agreement counts pauses of one kind.
type agreement struct{ agree, all int }

// mostAgree runs a program until most pauses of each kind agree.
func mostAgree(t *testing.T, run func(kinds map[string]agreement)) {
	kinds := map[string]agreement{}
	for i := 1; ; i++ {
		run(kinds)
		off := slices.DeleteFunc(slices.Sorted(maps.Keys(kinds)), func(kind string) bool {
			return 2*kinds[kind].agree > kinds[kind].all
		})
		if len(off) == 0 {
			return
		}
		if i == runs {
			t.Fatalf("most pauses are off by more than 5 %% in %d runs: %q of %v", i, off, kinds)
		}
	}
}

// comparePauses counts those that agree, by their kinds.
func comparePauses(t *testing.T, got []row, want []logged, kinds map[string]agreement) {
	for i := range want {
		k := kinds[want[i].Kind]
		k.all++
		difference := (*got[i].pause - want[i].pause).Abs()
		if difference <= max(floor, time.Duration(tolerance*float64(want[i].pause))) {
			k.agree++
		} else {
			t.Logf("%s GC(%d) %s: pause %v, logged %v", t.Name(), want[i].Number, want[i].Kind, *got[i].pause,
				want[i].pause)
		}
		kinds[want[i].Kind] = k
	}
}

// compareBytes has what the log has in MB. Between a young and a full collection in one pause of Serial's nobody
// looks.
func compareBytes(t *testing.T, collector string, got []row, want []logged) {
	for i := range want {
		for what, pair := range map[string]struct {
			bytes *int64
			mega  int
		}{"before": {got[i].before, want[i].before}, "after": {got[i].after, want[i].after}} {
			between := what == "after" && i+1 < len(want) && got[i+1].kind == full ||
				what == "before" && i > 0 && got[i].kind == full
			if pair.bytes == nil && collector == "Serial" && between {
				continue
			}
			if pair.bytes == nil || int(*pair.bytes/mega) != pair.mega {
				t.Errorf("GC(%d) %s: %s %v bytes, logged %d MB",
					want[i].Number, want[i].Kind, what, value(pair.bytes), pair.mega)
			}
		}
	}
}

// TestConcurrentCollectors compares the pauses of collectors that do most while the program runs, and the cycles.
func TestConcurrentCollectors(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for _, collector := range []string{"Z", "Shenandoah"} {
			t.Run(collector, func(t *testing.T) {
				option := "-XX:+Use" + collector + "GC"
				if _, err := jdk.Run(jvmtest.Command{Options: []string{option, "-version"}}); err != nil {
					jvmtest.Missing(t, "this JDK has no %s: %v", collector, err)
				}
				mostAgree(t, func(kinds map[string]agreement) {
					rows, want, cycles := collect(t, jdk, 400_000, option, "-Xmx300m",
						"-XX:+UnlockExperimentalVMOptions")
					got := pausesOf(rows)
					if n := len(want); n < 6 || len(got) < n-3 || len(got) > n {
						t.Fatalf("%d pauses, logged %d", len(got), n) // the last collection may end with the JVM
					}
					for i := range got {
						if int(got[i].number) != want[i].Number || got[i].kind != want[i].Kind {
							t.Errorf("GC(%d) %s, logged GC(%d) %s", got[i].number, got[i].kind, want[i].Number,
								want[i].Kind)
						}
					}
					comparePauses(t, got, want[:len(got)], kinds)
					for _, r := range rows {
						if r.pause == nil && collector == "Z" && cycles[int(r.number)] != r.kind {
							t.Errorf("cycle %d: %s, logged %q; pauses %q", r.number, r.kind, cycles[int(r.number)],
								linesOfRows(got))
						}
					}
				})
			})
		}
	})
}

// TestNone has a JVM that never collects: the report is empty, and nothing is lost.
func TestNone(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		rows, want, _ := collect(t, jdk, 20_000, "-XX:+UnlockExperimentalVMOptions", "-XX:+UseEpsilonGC", "-Xmx1g")
		if len(rows) > 0 || len(want) > 0 {
			t.Errorf("%d rows, %d logged", len(rows), len(want))
		}
	})
}

// TestWithoutCounters has a JVM that says no more than JVMTI does: pauses, and a loss that says so.
func TestWithoutCounters(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		command := jvmtest.Command{
			Options:   []string{"-XX:+UseSerialGC", "-XX:-UsePerfData", "-Xmx100m"},
			Classpath: []string{jdk.MustJavac(t, nil, filepath.Join("testdata", "Collects.java"))},
			Main:      "Collects", Args: []string{"100000"},
		}
		command, file := mallardtest.Profiled(t, command, "-q")
		jdk.MustRun(t, command)
		events := profile.Events{Name: nil}
		p := mallardtest.Read(t, file, events)
		if len(p.Losses) != 1 || !strings.Contains(p.Losses[0].Detail, "-XX:-UsePerfData") {
			t.Errorf("losses: %v", p.Losses)
		}
		rows := interpret(p.Process, decode(events[Name]))
		if len(rows) < 3 {
			t.Errorf("%d pauses", len(rows))
		}
		for _, r := range rows {
			if r.kind != pause || r.cause != nil || r.pause == nil || r.before == nil || r.after == nil {
				t.Errorf("GC(%d) %s: %v, %v, %v", r.number, r.kind, value(r.cause), value(r.before), value(r.after))
			}
		}
	})
}
