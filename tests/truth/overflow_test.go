package truth_test

import (
	"fmt"
	"strings"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/placement"
)

// TestStackOverflow compares the counts of a program that overflows its stacks many times with what it has counted
// itself, and what it catches with what it catches without mallard. Frames are interpreted, and what counts too; they
// are, and what counts is compiled; all is compiled. C2 leaves out handlers that never ran, and frames that come to one
// go on interpreted, without having asked for room: in each thread some may be lost before all handlers are compiled.
func TestStackOverflow(t *testing.T) {
	const threads, lost = 3, 3 // frames for each
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		interpreted := []string{"-XX:CompileCommand=quiet", "-XX:CompileCommand=exclude,Overflow*::*"}
		classes := jdk.MustJavac(t, nil, mallardtest.Source(t, "Overflow.java"))
		seen, _ := overflows(t, jdk.MustRun(t, jvmtest.Command{Classpath: []string{classes}, Main: "Overflow"}).Stdout)
		for _, strategy := range []placement.Strategy{placement.Site, placement.DuckTracks, placement.Optimal} {
			for _, options := range [][]string{{"-Xint"}, interpreted, nil} {
				t.Run(fmt.Sprint(strategy, options), func(t *testing.T) {
					output, p := mallardtest.Record(t, jdk, jvmtest.Command{Classpath: []string{classes},
						Main: "Overflow", Options: options}, "--placement", strategy.String())
					counted := map[string]int64{}
					for _, site := range p.Sites {
						if strings.HasPrefix(site.Class, "Overflow") {
							counted[site.Type] += site.Amount.Objects
							if site.Type == "int[]" {
								counted["elements"] += site.Amount.Elements
							}
						}
					}
					now, made := overflows(t, output.Stdout)
					if now != seen {
						t.Errorf("the program catches\n%s\nnot\n%s", now, seen)
					}
					for what, n := range made {
						may := int64(0)
						if options == nil {
							may = threads * lost
						}
						if what == "elements" {
							may *= 7 // in the longest array
						}
						if off := counted[what] - n; off < -may || off > 0 {
							t.Errorf("%s: %d were made, %d are counted", what, n, counted[what])
						}
					}
				})
			}
		}
	})
}

// overflows reads what the program prints: what it has caught, and how much it has made of what.
func overflows(t *testing.T, stdout string) (seen string, made map[string]int64) {
	made = map[string]int64{}
	for line := range strings.Lines(stdout) {
		if strings.HasPrefix(line, "seen ") {
			seen += line
			continue
		}
		var what string
		var n int64
		if _, err := fmt.Sscan(line, &what, &n); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		made[what] = n
	}
	return seen, made
}
