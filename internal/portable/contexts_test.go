package portable_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/jvmtest"
	"mallard/internal/portable"
	"mallard/internal/profile"
)

// withContexts makes a jar that records contexts.
func withContexts(t *testing.T, in string) string {
	t.Helper()
	out, made := instrumentWith(t, in, portable.Options{Contexts: true})
	if len(made.Skipped) > 0 {
		t.Errorf("skipped %v", made.Skipped)
	}
	return out
}

// stacks gives how many objects of a class have which callers, the innermost first.
func stacks(p *profile.Profile, class string) map[string]int64 {
	made := map[string]int64{}
	for sample := range p.Samples(profile.Filter{}) {
		if sample.Site.Type != class {
			continue
		}
		var names []string
		for _, f := range p.Stack(sample.Site, sample.Context) {
			names = append(names, f.Title())
		}
		made[strings.Join(names, " ")] += sample.Amount.Objects
	}
	return made
}

// TestEscapes: no exception leaves a thread in a context that it is not in, whoever catches it.
func TestEscapes(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		out := withContexts(t, jdk.MustJavac(t, nil, "testdata/Escapes.java"))
		output, p := run(t, jdk, jvmtest.Command{Classpath: []string{out}, Main: "Escapes",
			Options: []string{"-Xverify:all", "-XX:-PrintWarnings"}})
		if output.Stdout != "done\n" || output.Stderr != "" || !p.Complete {
			t.Errorf("prints %q, %q; complete: %v", output.Stdout, output.Stderr, p.Complete)
		}
		want := map[string]int64{
			"Escapes.mark":        6,
			"Escapes$Base.<init>": 1,
			"Escapes$Base.<init> Escapes$Derived.<init>":                       2,
			"Escapes$Copy.<init> Escapes.lambda$main$2":                        1,
			"Escapes$Source.toArray Escapes$Copy.<init> Escapes.lambda$main$2": 1,
		}
		if diff := cmp.Diff(want, stacks(p, "Escapes$Marker")); diff != "" {
			t.Errorf("contexts (-want +have):\n%s", diff)
		}
	})
}

// TestLimit: where there is no memory for contexts, everything is counted all the same, and a loss says so.
func TestLimit(t *testing.T) {
	jdk := oldest(t)
	out := withContexts(t, jdk.MustJavac(t, nil, "testdata/Demo.java"))
	for limit, lost := range map[string]bool{"0": true, "1": false} {
		_, p := run(t, jdk, jvmtest.Command{Classpath: []string{out}, Main: "Demo", Args: []string{"exit"},
			Options: []string{"-Dmallard.contexts=" + limit}})
		if n := objects(p, "Demo"); n != 100 {
			t.Errorf("with %s MiB: %d objects", limit, n)
		}
		found := false
		for _, l := range p.Losses {
			found = found || l.Kind == "contexts" && l.Count > 0
		}
		if found != lost {
			t.Errorf("with %s MiB: losses %v", limit, p.Losses)
		}
	}
}
