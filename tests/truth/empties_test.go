package truth_test

import (
	"fmt"
	"strings"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
	"mallard/internal/waste"
)

// collections are what a line of Empties.java makes.
type collections struct {
	class        string
	made, filled int64 // filled: that get an array
}

// plantedCollections reads what the lines of Empties.java say that they make.
func plantedCollections(t *testing.T) map[int]collections {
	t.Helper()
	planted := map[int]collections{}
	for line, said := range remarks(t, "Empties.java", "// made: ") {
		var c collections
		if _, err := fmt.Sscan(said, &c.class, &c.made, &c.filled); err != nil {
			t.Fatalf("line %d: %q: %v", line, said, err)
		}
		planted[line] = c
	}
	return planted
}

// TestEmptyCollections: of what a line makes never more is said to have stayed empty than has, and hardly less where it
// makes more than there are arrays; nothing where all of it was filled.
func TestEmptyCollections(t *testing.T) {
	const jdk = 2000 // arrays of the JDK's own collections, at most, and those that are put off by exceptions
	planted := plantedCollections(t)
	filled := map[string]int64{}
	family := func(class string) string { return strings.Replace(class, ".LinkedHashMap", ".HashMap", 1) }
	for _, c := range planted {
		filled[family(c.class)] += c.filled
	}
	jvmtest.ForEachJDK(t, func(t *testing.T, j jvmtest.JDK) {
		for _, track := range []string{"sites", "contexts"} {
			t.Run(track, func(t *testing.T) {
				output, p := mallardtest.Record(t, j, mallardtest.Compiled(t, j, "Empties"), "--track", track)
				if output.ExitCode != 0 || !p.Complete {
					t.Fatalf("exit code %d, complete %v\n%s", output.ExitCode, p.Complete, output.Stderr)
				}
				got := map[int]int64{}
				for _, row := range waste.Ask(p, waste.Query{Mine: &profile.Mine{Patterns: "Empties"}}).Rows {
					for _, place := range row.Places {
						c := planted[int(place.Line.Line)]
						if row.Kind != waste.EmptyCollections || place.Line.Class != "Empties" {
							continue
						}
						got[int(place.Line.Line)] = place.Amount.Objects
						if place.What != c.class || place.Amount.Bytes%place.Amount.Objects != 0 {
							t.Errorf("line %d: %s, %+v", place.Line.Line, place.What, place.Amount)
						}
					}
				}
				for line, c := range planted {
					most, least := c.made-c.filled, max(0, c.made-filled[family(c.class)]-jdk)
					if track == "sites" && c.class == "java.util.HashMap" && c.made == 25_000 {
						least, most = 0, 0 // the set makes it, whose line that is
					}
					if got[line] > most || got[line] < least {
						t.Errorf("line %d: %d stayed empty, want %d to %d", line, got[line], least, most)
					}
				}
				t.Log(got)
			})
		}
	})
}
