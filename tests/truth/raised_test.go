package truth_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
	"mallard/internal/symbols"
)

// TestRaised: the stacks of exceptions that the VM and native code make are those that the exceptions themselves have:
// one short[] is made for each. In the tree what Java code and the VM make of one class in one method, with no call
// between, is not told apart.
func TestRaised(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		classes := mallardtest.Compiled(t, jdk, "Raised").Classpath[0]
		for _, representation := range []string{"hashed", "encoded", "tree"} {
			t.Run(representation, func(t *testing.T) {
				command := jvmtest.Command{Classpath: []string{classes}, Main: "Raised",
					Options: []string{"-XX:-OmitStackTraceInFastThrow"}}
				if representation != "tree" {
					command.Args = []string{"all"}
				}
				output, p := mallardtest.Record(t, jdk, command, "--track", "contexts", "--contexts", representation)
				want, got := map[string]int64{}, map[string]int64{}
				for line := range strings.Lines(output.Stdout) {
					want[strings.TrimSpace(line)]++
				}
				for sample := range p.Samples(profile.Filter{}) {
					if stack := raisedAt(p.Stack(sample.Site, sample.Context)); stack != "" &&
						sample.Site.Type == "short[]" && sample.Amount.Objects != 0 {
						got[stack] += sample.Amount.Objects
					}
				}
				if diff := cmp.Diff(want, got); diff != "" || len(want) == 0 {
					t.Errorf("exceptions by stack (-their own +mallard):\n%s", diff)
				}
			})
		}
	})
}

// raisedAt gives what a frame of the constructor of ArrayIndexOutOfBoundsException was called by; "" without one.
func raisedAt(stack []symbols.Frame) string {
	i := slices.IndexFunc(stack, func(f symbols.Frame) bool {
		return f.Title() == "java.lang.ArrayIndexOutOfBoundsException.<init>"
	})
	if i < 0 {
		return ""
	}
	var b strings.Builder
	for _, f := range stack[i+1:] {
		line := f.Line
		if f.Native {
			line = -2
		}
		fmt.Fprintf(&b, "%s:%d;", f.Title(), line)
	}
	return b.String()
}
