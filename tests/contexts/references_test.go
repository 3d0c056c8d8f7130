package contexts_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
)

// TestReferences holds the callers of what hidden classes make, for references to constructors and by themselves,
// against the stack traces that the objects' own constructors take: the innermost frame is where the reference is
// written, or the hidden class's, and all others are those that the JVM prints.
func TestReferences(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		classes := mallardtest.Compiled(t, jdk, "References").Classpath[0]
		for _, options := range [][]string{nil, {"-Xint"}} {
			for i, representation := range []string{"hashed", "encoded", "tree"} {
				if len(options) > 0 && !jvmtest.IsTurn(t, jdk, i) {
					continue
				}
				t.Run(fmt.Sprint(representation, options), func(t *testing.T) {
					output, p := mallardtest.Record(t, jdk, jvmtest.Command{Options: options,
						Classpath: []string{classes}, Main: "References", Args: []string{"300"}},
						"--track", "contexts", "--contexts", representation)
					if output.ExitCode != 0 || output.Stderr != "" {
						t.Fatalf("exit code %d\n%s", output.ExitCode, output.Stderr)
					}
					if diff := cmp.Diff(printedCallers(t, output.Stdout), recordedCallers(p)); diff != "" {
						t.Errorf("objects by class and callers (-printed +recorded):\n%s", diff)
					}
				})
			}
		}
	})
}

// printedCallers reads what the program prints: how many objects, of which class, and the frames of a stack trace, from
// the outermost constructor's caller on.
func printedCallers(t *testing.T, text string) map[string]int64 {
	t.Helper()
	callers := map[string]int64{}
	for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		parts := strings.Split(strings.TrimSuffix(line, "|"), "|")
		times, err := strconv.ParseInt(parts[0], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		class, frames := parts[1], parts[2:]
		constructor := class + ".<init>:"
		for len(frames) > 0 && (strings.HasPrefix(frames[0], constructor) ||
			strings.HasPrefix(frames[0], "References$Made.<init>:")) {
			frames = frames[1:]
		}
		callers[class+" < "+strings.Join(frames, " < ")] += times
	}
	return callers
}

// recordedCallers gives the same of a recording: what is made by a bytecode of a class that is not hidden has its own
// frame first.
func recordedCallers(p *profile.Profile) map[string]int64 {
	callers := map[string]int64{}
	for sample := range p.Samples(profile.Filter{}) {
		site := sample.Site
		if !strings.HasPrefix(site.Type, "References$") || site.Type == "References$Template" ||
			strings.HasSuffix(site.Type, "[]") || strings.Contains(site.Type, "$$Lambda") {
			continue
		}
		var frames []string
		for _, f := range p.Stack(site, sample.Context) {
			line := int(f.Line)
			if f.Native {
				line = -2
			}
			frames = append(frames, fmt.Sprintf("%s:%d", f.Title(), line))
		}
		if !strings.HasPrefix(frames[0], "References.lambda$") { // that is hidden
			frames = frames[1:]
		}
		callers[site.Type+" < "+strings.Join(frames, " < ")] += sample.Amount.Objects
	}
	return callers
}
