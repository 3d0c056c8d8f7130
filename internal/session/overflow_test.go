package session_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/placement"
)

// TestStackOverflow compares the counts of a program that overflows its stack many times with what it has counted itself. Where the stack has no
// room left for the frames of the runtime class corrections are lost: three interpreted frames at each overflow, one compiled frame or none.
func TestStackOverflow(t *testing.T) {
	const overflows, lost = 40, 4 // frames for each
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		classes := jdk.MustJavac(t, nil, filepath.Join("testdata", "Overflow.java"))
		for _, strategy := range []placement.Strategy{placement.Site, placement.DuckTracks, placement.Optimal} {
			for _, options := range [][]string{{"-Xint"}, nil} {
				t.Run(fmt.Sprint(strategy, options), func(t *testing.T) {
					output, p := record(t, jdk, jvmtest.Command{Classpath: []string{classes}, Main: "Overflow", Options: options}, "--placement", strategy.String())
					counted := map[string]int64{}
					for _, site := range p.Sites {
						if site.Class == "Overflow" {
							counted[site.Type] += site.Amount.Objects
						}
					}
					for line := range strings.Lines(output.Stdout) {
						var class string
						var made int64
						if _, err := fmt.Sscan(line, &class, &made); err != nil {
							t.Fatalf("%q: %v", line, err)
						}
						if off := counted[class] - made; off < -lost*overflows || off > lost*overflows {
							t.Errorf("%s: %d were made, %d are counted", class, made, counted[class])
						}
					}
				})
			}
		}
	})
}
