package contexts_test

import (
	"fmt"
	"strings"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// TestAsked: threads find out by themselves where their invocations belong, all but a few times. A round trip to the
// recorder takes as long as thousands of calls.
func TestAsked(t *testing.T) {
	const calls = 500 // 7,000 bytes of code, and over 8,000 with ours
	long := &strings.Builder{}
	long.WriteString("class Asked {\nstatic int work(int n) {\nint sum = 0;\nswitch (n) {\n")
	for i := range calls {
		fmt.Fprintf(long, "case %d: sum += leaf(n); break;\n", i)
	}
	long.WriteString(`}
return sum;
}
static int leaf(int n) { return new int[n & 3].length; }
static class Mortal {
	@SuppressWarnings({"deprecation", "removal"})
	protected void finalize() { finalized++; }
}
static int finalized; // the JVM takes an empty finalizer for none
static Object last;
static int mortal() { last = new Mortal(); return 1; }
static int[] few = new int[4];
static int raise(int i) {
	try {
		return few[4 + i];
	} catch (ArrayIndexOutOfBoundsException e) {
		return 1;
	}
}
static int down(int depth) { return depth == 0 ? new int[2].length : down(depth - 1) + down(depth - 1); }
public static void main(String[] args) {
	int sum = 0;
	int n = Integer.parseInt(args[1]);
	for (int i = 0; i < n; i++) {
		switch (args[0]) {
		case "finalizers": sum += mortal(); break;
		case "long": sum += work(i % ` + fmt.Sprint(calls) + `); break;
		case "new": sum += down(12); break;
		case "raised": sum += raise(n & 3); break;
		}
	}
	System.out.println(sum);
}
}
`)
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		classes := jdk.MustJavac(t, []string{"-nowarn"}, mallardtest.Written(t, "Asked", long.String()))
		for i, what := range []struct {
			name           string
			few, many      int
			representation string
			most           uint64 // times more for many than for few
		}{
			{"finalizers", 10, 3000, "hashed", 100},
			{"finalizers", 10, 3000, "encoded", 100},
			{"long", 10, 3000, "hashed", 100},
			{"long", 10, 3000, "encoded", 100},
			{"raised", 10, 3000, "hashed", 100},
			{"raised", 10, 3000, "encoded", 100},
			{"raised", 10, 3000, "tree", 100},
			{"new", 0, 1, "hashed", 100}, // 4,096 contexts, which a stack each tells apart
			{"new", 0, 1, "encoded", 100},
		} {
			// each name and each representation is on each JDK
			if !jvmtest.IsTurn(t, jdk, i) && what.representation != "tree" {
				continue
			}
			t.Run(what.name+" "+what.representation, func(t *testing.T) {
				t.Parallel()
				asked := func(n int) uint64 {
					command := jvmtest.Command{Classpath: []string{classes}, Main: "Asked",
						Options: []string{"-XX:-OmitStackTraceInFastThrow"}, Args: []string{what.name, fmt.Sprint(n)}}
					_, p := mallardtest.Record(t, jdk, command, "--track", "contexts", "--contexts",
						what.representation)
					if p.ContextTotals == nil {
						t.Fatal("no totals")
					}
					return p.ContextTotals.Asked
				}
				few, many := asked(what.few), asked(what.many)
				if many > few+what.most {
					t.Errorf("%d times the recorder was asked where %d were made, %d times where %d were", many,
						what.many, few, what.few)
				}
				t.Logf("asked %d and %d times", few, many)
			})
		}
	})
}
