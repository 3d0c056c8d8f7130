package truth_test

import (
	"path/filepath"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
)

// handedClasses are of what the JVM makes when it calls Java code to load and to link, and of what its native code says
// of classes.
var handedClasses = []string{"java.lang.String", "byte[]", "java.lang.Class[]", "java.lang.Object[]",
	"java.lang.reflect.Method", "java.lang.reflect.Method[]", "java.lang.reflect.Constructor",
	"java.lang.reflect.Constructor[]", "java.lang.reflect.Field", "java.lang.reflect.Field[]"}

// TestHanded compares what the JVM makes to load and link with a heap that was never collected: in 30 rounds more, just
// as many objects and bytes more are counted as there are; but for four strings that a round's two lambdas are linked
// with.
func TestHanded(t *testing.T) {
	t.Parallel()
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		library, err := jdk.Agent(mallardtest.Source(t, "agents", "heap.c"))
		if err != nil {
			t.Fatal(err)
		}
		command := jvmtest.Command{Classpath: []string{jdk.MustJavac(t, nil, mallardtest.Source(t, "Handed.java"))},
			Main: "Handed"}
		for i, flags := range [][]string{nil, {"--track", "contexts"}, {"--track", "contexts", "--contexts", "tree"}} {
			if !jvmtest.IsTurn(t, jdk, i) {
				continue
			}
			more := map[string]profile.Amount{} // in the heap, and as counted with the sign changed
			for sign, rounds := range map[int64]string{-1: "10", 1: "40"} {
				file := filepath.Join(t.TempDir(), "heap")
				command.Args = []string{rounds}
				command.Options = []string{"-Xint", "-XX:+UnlockExperimentalVMOptions", "-XX:+UseEpsilonGC", "-Xmx512m",
					"-agentpath:" + library + "=" + file}
				_, p := mallardtest.Record(t, jdk, command, flags...)
				inHeap, _ := readHeap(t, file)
				add := func(class string, objects, bytes int64) {
					a := more[class]
					more[class] = profile.Amount{Objects: a.Objects + objects, Bytes: a.Bytes + bytes}
				}
				for class, made := range inHeap {
					add(class, sign*made.Objects, sign*made.Bytes)
				}
				for _, row := range p.Rows(profile.Query{By: profile.ByClass}).Rows {
					add(row.Class, -sign*row.Amount.Objects, -sign*row.Amount.Bytes)
				}
			}
			for _, class := range handedClasses {
				strings := int64(0) // that are not counted
				if class == "java.lang.String" || class == "byte[]" {
					strings = 4 * 30
				}
				const first = 2 // of these, which were there after ten rounds
				d := more[class]
				if d.Objects > strings || d.Objects < max(strings-first, 0) || d.Bytes < 0 || d.Bytes > 128*strings {
					t.Errorf("%v: %s: %d objects and %d bytes more are made than counted", flags, class, d.Objects,
						d.Bytes)
				}
			}
		}
	})
}
