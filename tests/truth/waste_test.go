package truth_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
	"mallard/internal/waste"
)

// wasted is what a line of Wastes.java makes that is waste.
type wasted struct {
	line       int
	kind, what string
}

const wasteRounds = 1000

// plantedWaste reads what the lines of Wastes.java say that they make.
func plantedWaste(t *testing.T, inSites bool) map[wasted]int64 {
	t.Helper()
	planted := map[wasted]int64{}
	for line, said := range remarks(t, "Wastes.java", "// waste: ") {
		w, times := wasted{line: line}, int64(0)
		said, changed, seen := strings.Cut(said, " in sites")
		if _, err := fmt.Sscan(said, &w.kind, &w.what, &times); err != nil {
			t.Fatalf("line %d: %q: %v", line, said, err)
		}
		if inSites && changed != "" {
			what := ""
			if _, err := fmt.Sscan(changed, &what, &times); err != nil {
				t.Fatalf("line %d: %q: %v", line, changed, err)
			}
			if what != "=" {
				w.what = what
			}
		}
		w.kind = strings.ReplaceAll(w.kind, "%", " ")
		if seen || !inSites {
			planted[w] = times * wasteRounds
		}
	}
	return planted
}

// remarks gives what stands behind a mark on lines of a source, by their numbers.
func remarks(t *testing.T, source, mark string) map[int]string {
	t.Helper()
	text, err := os.ReadFile(mallardtest.Source(t, source))
	if err != nil {
		t.Fatal(err)
	}
	found, line := map[int]string{}, 0
	for text := range strings.Lines(string(text)) {
		line++
		if _, said, is := strings.Cut(strings.TrimSpace(text), mark); is {
			found[line] = said
		}
	}
	return found
}

// TestWaste: what is said of lines of the program's is what these make, kind by kind; but for what the JVM makes when
// they are executed for the first time and are linked, which is of classes that no line names.
func TestWaste(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for _, track := range []string{"sites", "contexts"} {
			t.Run(track, func(t *testing.T) {
				output, p := mallardtest.Record(t, jdk, mallardtest.Compiled(t, jdk, "Wastes"), "--track", track)
				if output.ExitCode != 0 || !p.Complete || len(p.Losses) > 0 {
					t.Fatalf("exit code %d, complete %v, losses %v\n%s", output.ExitCode, p.Complete, p.Losses,
						output.Stderr)
				}
				planted := plantedWaste(t, track == "sites")
				answer := waste.Ask(p, waste.Query{Mine: &profile.Mine{Patterns: "Wastes,Wastes$*"}})
				got := map[wasted]int64{}
				var sum profile.Amount
				for _, row := range answer.Rows {
					for _, place := range row.Places {
						sum.Add(place.Amount)
						at := wasted{int(place.Line.Line), row.Kind.String(), place.What}
						if _, expected := planted[at]; expected || place.Amount.Objects >= wasteRounds {
							got[at] += place.Amount.Objects
						}
					}
				}
				if track == "sites" { // those are lines of values() and iterator(), not of who calls these
					for at := range got {
						if at.kind == waste.EnumValues.String() || at.kind == waste.Iterators.String() {
							delete(got, at)
						}
					}
				}
				if diff := cmp.Diff(planted, got, cmp.AllowUnexported(wasted{})); diff != "" {
					t.Errorf("-planted +got:\n%s", diff)
				}
				if sum != answer.Amount {
					t.Errorf("%+v in all, but places have %+v", answer.Amount, sum)
				}
				least := int64(0)
				for w, times := range plantedWaste(t, false) {
					if w.kind == waste.Growth.String() && w.what == "java.util.HashMap" {
						least += times
					}
				}
				if n := grown(p, "java.util.HashMap"); n < least || n >= least+wasteRounds {
					t.Errorf("%d tables of HashMap are larger ones, %d and a few of the JVM's are", n, least)
				}
			})
		}
	})
}

// grown is how many arrays of a class are growth, whoever led to them.
func grown(p *profile.Profile, class string) (objects int64) {
	for _, row := range waste.Ask(p, waste.Query{}).Rows {
		for _, place := range row.Places {
			if row.Kind == waste.Growth && place.What == class {
				objects += place.Amount.Objects
			}
		}
	}
	return objects
}
