package session_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/jvmtest"
	"mallard/internal/placement"
)

// A javaWriter writes random methods that allocate and throw wherever Java lets them.
type javaWriter struct {
	strings.Builder
	random *rand.Rand
	method int // the one being written; it calls those before it
	loops  int // around the current place
	depth  int
	names  int // variables so far
}

var randomTypes = []string{"byte", "char", "int", "long", "Object"}

// block writes up to n statements in braces.
func (w *javaWriter) block(n int) {
	w.WriteString("{\n")
	for range 1 + w.random.IntN(n) {
		w.statement()
	}
	w.WriteString("}\n")
}

// name gives a new variable.
func (w *javaWriter) name() string {
	w.names++
	return fmt.Sprint("v", w.names)
}

// simple writes a statement without others inside.
func (w *javaWriter) simple() {
	r := w.random
	switch r.IntN(10) {
	case 0, 1, 2:
		fmt.Fprintf(w, "sum += new %s[%d].length;\n", randomTypes[r.IntN(len(randomTypes))], r.IntN(4))
	case 3:
		// To throw, the JVM itself makes arrays of other types, which the oracle would take for the site's.
		w.WriteString("sum += new char[((n + sum) & 7) - 1].length;\n")
	case 4:
		fmt.Fprintf(w, "strike(n + sum, %d);\n", r.IntN(9))
	case 5:
		fmt.Fprintf(w, "sum += NUMBERS[(n + sum) & 7];\n")
	case 6:
		fmt.Fprintf(w, "sum += new Thing(n + sum, new int[%d]).value;\n", r.IntN(3))
	case 7:
		fmt.Fprintf(w, "sum += ((String) OBJECTS[(n + sum) & 3]).length();\n")
	case 8:
		fmt.Fprintf(w, "sum += 12 / ((n + sum + %d) %% 5);\n", r.IntN(5))
	default:
		if w.method > 0 {
			fmt.Fprintf(w, "sum += m%d(n + %d);\n", r.IntN(w.method), r.IntN(3))
		}
	}
}

// statement writes any statement.
func (w *javaWriter) statement() {
	r := w.random
	if w.depth > 2 || r.IntN(2) == 0 {
		w.simple()
		return
	}
	w.depth++
	defer func() { w.depth-- }()
	switch r.IntN(9) {
	case 0, 1, 2:
		w.WriteString("try ")
		w.block(4)
		finally := r.IntN(2) == 0
		if !finally || r.IntN(2) == 0 {
			fmt.Fprintf(w, "catch (%s %s) ", []string{"ArithmeticException", "Strike", "RuntimeException", "Throwable"}[r.IntN(4)], w.name())
			w.block(3)
		}
		if finally {
			w.WriteString("finally ")
			w.block(3)
		}
	case 3:
		v := w.name()
		fmt.Fprintf(w, "for (int %s = 0; %s < %d; %s++) ", v, v, 1+r.IntN(3), v)
		w.loops++
		w.block(4)
		w.loops--
	case 4:
		fmt.Fprintf(w, "if (((n + sum) & %d) == 0) ", 1+r.IntN(3))
		w.block(3)
		if r.IntN(2) == 0 {
			w.WriteString("else ")
			w.block(3)
		}
	case 5:
		w.WriteString("switch ((n + sum) & 3) {\n")
		for i := range 3 {
			fmt.Fprintf(w, "case %d: ", i)
			w.block(2)
			if r.IntN(2) == 0 {
				w.WriteString("break;\n")
			}
		}
		w.WriteString("default: ")
		w.block(2)
		w.WriteString("}\n")
	case 6:
		w.WriteString("synchronized (OBJECTS) ")
		w.block(4)
	case 7:
		jump := []string{"return sum;", "throw STRIKE;", "throw new Strike();", "break;", "continue;"}
		if w.loops == 0 {
			jump = jump[:3]
		}
		// In a loop around a switch, break ends the switch.
		fmt.Fprintf(w, "if (((n + sum) & 3) == %d) { %s }\n", r.IntN(4), jump[r.IntN(len(jump))])
	default:
		v := w.name()
		fmt.Fprintf(w, "{ Object %s = new Object();\n", v)
		w.simple()
		fmt.Fprintf(w, "sum += %s == null ? 1 : 0; }\n", v)
	}
}

// class writes a program of n random methods.
func (w *javaWriter) class(name string, n int) {
	fmt.Fprintf(w, `class %s {
static final class Strike extends RuntimeException { Strike() { super(null, null, false, false); } }
static class Base { final int value; Base(int n, Object o) { value = new char[n & 3].length; strike(n, 2); } }
static final class Thing extends Base {
	Thing(int n, int[] a) { super(n + new char[(n & 7) - 1].length, (n & 1) == 0 ? new Object() : a); long[] l = new long[1]; strike(n, 5); a[n & 1] = new int[1].length; }
}
static final Strike STRIKE = new Strike();
static final int[] NUMBERS = new int[6];
static final Object[] OBJECTS = {"a", null, 1, "abc"};
static int fuel;
static void strike(int n, int when) { if ((n & 7) == when) throw STRIKE; }
`, name)
	for w.method = range n {
		modifier := ""
		if w.random.IntN(4) == 0 {
			modifier = "synchronized "
		}
		fmt.Fprintf(w, "static %sint m%d(int n) {\nif (--fuel < 0) { return 0; }\nint sum = 0;\n", modifier, w.method)
		w.block(6)
		w.WriteString("return sum;\n}\n")
	}
	w.WriteString("public static void main(String[] args) {\nint sum = 0;\nfor (int n = 0; n < 8; n++) {\n")
	for m := range n {
		fmt.Fprintf(w, "fuel = 30;\ntry { sum += m%d(n); } catch (RuntimeException e) { sum = 31 * sum + e.getClass().hashCode() * 0 + 1; }\n", m)
	}
	w.WriteString("}\nSystem.out.println(\"checksum \" + sum);\n}\n}\n")
}

// TestRandomMethods compares what random programs print and allocate with what they do plain, under the oracle: 200 methods, 10,000 in the long test.
func TestRandomMethods(t *testing.T) {
	const methods = 50 // a program
	programs := 4
	if os.Getenv("MALLARD_LONG") == "1" {
		programs = 200
	}
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for seed := range programs {
			name := fmt.Sprint("Random", seed)
			t.Run(name, func(t *testing.T) {
				w := &javaWriter{random: rand.New(rand.NewPCG(uint64(seed), 1))}
				w.class(name, methods)
				source := filepath.Join(t.TempDir(), name+".java")
				if err := os.WriteFile(source, []byte(w.String()), 0o644); err != nil {
					t.Fatal(err)
				}
				program := jvmtest.Program{Name: name}
				command := jvmtest.Command{Classpath: []string{jdk.MustJavac(t, nil, source)}, Main: name}
				plain := jdk.MustRun(t, command)
				want := oracleSites(program, jvmtest.RunOracle(t, jdk, command))
				for _, strategy := range []placement.Strategy{placement.Site, placement.DuckTracks, placement.Optimal} {
					output, p := record(t, jdk, command, strategy)
					if output.Stdout != plain.Stdout || output.ExitCode != plain.ExitCode {
						t.Errorf("%v: exit code %d, not %d, and\n%s%snot\n%s", strategy, output.ExitCode, plain.ExitCode, output.Stdout, output.Stderr, plain.Stdout)
					}
					if diff := cmp.Diff(want, mallardSites(program, p)); diff != "" {
						t.Errorf("%v: sites (-oracle +mallard):\n%s", strategy, diff)
					}
				}
			})
		}
	})
}
