package compat_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// TestDeclared has a program look at the JDK's classes by reflection: it sees what it sees without Mallard, and none of
// the fields that Mallard adds.
func TestDeclared(t *testing.T) {
	t.Parallel()
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		command := mallardtest.Compiled(t, jdk, "Declared")
		want := jdk.MustRun(t, command).Stdout
		if strings.Count(want, "\n") < 10_000 {
			t.Fatalf("the program sees %d members only", strings.Count(want, "\n"))
		}
		for _, track := range []string{"sites", "contexts", "objects"} {
			recorded, _ := mallardtest.Profiled(t, command, "-q", "--track", track)
			if diff := cmp.Diff(want, jdk.MustRun(t, recorded).Stdout); diff != "" {
				t.Errorf("%s: what reflection tells, -plain +recorded:\n%s", track, diff)
			}
		}
	})
}
