package truth_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A javaWriter writes random methods that allocate and throw wherever Java lets them: in nested try statements, loops,
// switches and synchronized code, in constructors before and after super(), in static initialisers, in what they call,
// themselves included.
type javaWriter struct {
	strings.Builder
	random    *rand.Rand
	methods   int  // of the class
	prologues bool // constructors may have statements before super() (JEP 513)
	handlers  bool // switch expressions may have try and synchronized statements inside
	depth     int
	names     int // variables and labels so far
	scope
}

// flexibleConstructors is the first JDK whose Java has statements before super().
const flexibleConstructors = 25

// handlersInside is the first JDK whose javac compiles try and synchronized statements inside of switch expressions so
// that the JVM takes the class: that of 17 forgets the operand stack of the expression around in handlers' frames.
const handlersInside = 25

// scope says how statements may jump.
type scope struct {
	leave string // statement that ends the body; "" where none may
	loops int    // around
	label string // of the innermost labelled loop; "" outside
	value bool   // inside of a switch expression
}

const (
	randomConstructors = 6
	randomInitialisers = 12
)

var randomTypes = []string{"byte", "char", "int", "long", "Object"}

// block writes up to n statements in braces.
func (w *javaWriter) block(n int) {
	w.WriteString("{\n")
	w.statements(n)
	w.WriteString("}\n")
}

func (w *javaWriter) statements(n int) {
	for range 1 + w.random.IntN(n) {
		w.statement()
	}
}

// within writes something that is in a scope of its own.
func (w *javaWriter) within(p scope, write func()) {
	outer := w.scope
	w.scope = p
	write()
	w.scope = outer
}

// name gives a new variable or label.
func (w *javaWriter) name() string {
	w.names++
	return fmt.Sprint("v", w.names)
}

// simple writes a statement without others inside.
func (w *javaWriter) simple() {
	r := w.random
	switch r.IntN(14) {
	case 0, 1, 2:
		fmt.Fprintf(w, "sum += new %s[%d].length;\n", randomTypes[r.IntN(len(randomTypes))], r.IntN(4))
	case 3:
		// To throw, the JVM itself makes arrays, of other types than char, which the oracle would take for the site's.
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
	case 9:
		fmt.Fprintf(w, "sum += Initialised%d.value;\n", r.IntN(randomInitialisers))
	case 10:
		fmt.Fprintf(w, "sum += new char[][] {new char[%d], new char[(n & 7) - %d], {'a'}}.length;\n", r.IntN(3),
			r.IntN(2))
	case 11:
		w.WriteString("sum += new int[n & 3][(n + sum) & 7].length;\n")
	case 12:
		fmt.Fprintf(w, "sum += new Built%d(n + %d).sum;\n", r.IntN(randomConstructors), r.IntN(3))
	default:
		fmt.Fprintf(w, "sum += m%d(n + %d);\n", r.IntN(w.methods), r.IntN(3))
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
	kind := r.IntN(11)
	if w.value && !w.handlers && (kind < 3 || kind == 7) {
		w.simple()
		return
	}
	switch kind {
	case 0, 1, 2:
		w.try()
	case 3, 4:
		w.loop()
	case 5:
		fmt.Fprintf(w, "if (((n + sum) & %d) == 0) ", 1+r.IntN(3))
		w.block(3)
		if r.IntN(2) == 0 {
			w.WriteString("else ")
			w.block(3)
		}
	case 6:
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
	case 7:
		w.WriteString("synchronized (OBJECTS) ")
		w.block(4)
	case 8:
		w.jump()
	case 9:
		// Statements in the middle of an expression: javac saves the operand stack in variables.
		fmt.Fprintf(w, "sum += new int[%d].length + switch (n & 1) { case 0 -> {\n", r.IntN(3))
		w.within(scope{value: true}, func() { w.statements(3) })
		w.WriteString("yield new byte[2].length; }\ndefault -> new Object[] {n, sum}.length; };\n")
	default:
		v := w.name()
		fmt.Fprintf(w, "{ Object %s = new Object();\n", v)
		w.simple()
		fmt.Fprintf(w, "sum += %s == null ? 1 : 0; }\n", v)
	}
}

// try writes a try statement with a catch clause, a finally clause or both.
func (w *javaWriter) try() {
	w.WriteString("try ")
	w.block(4)
	finally := w.random.IntN(2) == 0
	if !finally || w.random.IntN(2) == 0 {
		caught := []string{"ArithmeticException", "Strike", "RuntimeException", "LinkageError", "Throwable"}
		fmt.Fprintf(w, "catch (%s %s) ", caught[w.random.IntN(len(caught))], w.name())
		w.block(3)
	}
	if finally {
		w.WriteString("finally ")
		w.block(3)
	}
}

// loop writes a loop of one of Java's kinds.
func (w *javaWriter) loop() {
	v, times, end := w.name(), 1+w.random.IntN(3), "\n"
	p := w.scope
	p.loops++
	if w.random.IntN(3) == 0 {
		p.label = w.name()
	}
	fmt.Fprintf(w, "int %s = 0;\n", v)
	if p.label != w.label {
		fmt.Fprintf(w, "%s: ", p.label)
	}
	switch w.random.IntN(3) {
	case 0:
		fmt.Fprintf(w, "for (; %s < %d; %s++) ", v, times, v)
	case 1:
		fmt.Fprintf(w, "while (%s++ < %d) ", v, times)
	default:
		w.WriteString("do ")
		end = fmt.Sprintf("while (++%s < %d);\n", v, times)
	}
	w.within(p, func() { w.block(4) })
	w.WriteString(end)
}

// jump writes a statement that leaves where it stands, one time in four.
func (w *javaWriter) jump() {
	jumps := []string{"throw STRIKE;", "throw new Strike();"}
	if w.leave != "" {
		jumps = append(jumps, w.leave)
	}
	if w.loops > 0 {
		jumps = append(jumps, "break;", "continue;") // in a loop around a switch, break ends the switch
	}
	if w.label != "" {
		jumps = append(jumps, "break "+w.label+";", "continue "+w.label+";")
	}
	fmt.Fprintf(w, "if (((n + sum) & 3) == %d) { %s }\n", w.random.IntN(4), jumps[w.random.IntN(len(jumps))])
}

// constructor writes a class whose constructor does anything, before super() as far as Java lets it.
func (w *javaWriter) constructor(i int) {
	fmt.Fprintf(w, "static final class Built%d extends Base {\nint sum;\nfinal char[] chars = new char[fuel & "+
		"1];\nBuilt%d(int n) {\n", i, i)
	argument := "n + new char[(n & 7) - 1].length"
	if w.prologues {
		w.WriteString("int sum = 0;\nif (--fuel >= 0) ")
		w.within(scope{}, func() { w.block(4) })
		argument += " + sum"
	}
	fmt.Fprintf(w, "super(%s, (n & 1) == 0 ? new Object() : new byte[%d]);\n", argument, w.random.IntN(3))
	if w.prologues {
		w.WriteString("if (fuel < 0) { return; }\n")
	} else {
		w.WriteString("int sum = 0;\nif (--fuel < 0) { return; }\n")
	}
	w.within(scope{leave: "return;"}, func() { w.statements(5) })
	w.WriteString("this.sum = sum;\n}\n}\n")
}

// initialiser writes a class whose initialisation may fail, and then fails differently the second time it is tried.
func (w *javaWriter) initialiser(i int) {
	fmt.Fprintf(w, "static final class Initialised%d {\nstatic int value;\nstatic {\nint n = %d, sum = 0;\n", i, i)
	w.within(scope{}, func() { w.statements(4) })
	w.WriteString("value = sum;\n}\n}\n")
}

// class writes a program.
func (w *javaWriter) class(name string) {
	fmt.Fprintf(w, `class %s {
static final class Strike extends RuntimeException { Strike() { super(null, null, false, false); } }
static class Base { final int value; Base(int n, Object o) { value = new char[n & 3].length; strike(n, 2); } }
static final class Thing extends Base {
	Thing(int n, int[] a) { super(n + new char[(n & 7) - 1].length, (n & 1) == 0 ? new Object() : a);
		long[] l = new long[1]; strike(n, 5); a[n & 1] = new int[1].length; }
}
static final Strike STRIKE = new Strike();
static final int[] NUMBERS = new int[6];
static final Object[] OBJECTS = {"a", null, 1, "abc"};
static int fuel;
static void strike(int n, int when) { if ((n & 7) == when) throw STRIKE; }
`, name)
	for i := range randomConstructors {
		w.constructor(i)
	}
	for i := range randomInitialisers {
		w.initialiser(i)
	}
	for m := range w.methods {
		modifier := ""
		if w.random.IntN(4) == 0 {
			modifier = "synchronized "
		}
		fmt.Fprintf(w, "static %sint m%d(int n) {\nif (--fuel < 0) { return 0; }\nint sum = 0;\n", modifier, m)
		w.within(scope{leave: "return sum;"}, func() { w.block(6) })
		w.WriteString("return sum;\n}\n")
	}
	w.WriteString("public static void main(String[] args) {\nint sum = 0;\nfor (int n = 0; n < 8; n++) {\n")
	for m := range w.methods {
		fmt.Fprintf(w, "fuel = 30;\ntry { sum += m%d(n); } catch (Throwable e) { sum = 31 * sum + "+
			"e.getClass().getName().length(); }\n", m)
	}
	w.WriteString("}\nSystem.out.println(\"checksum \" + sum);\n}\n}\n")
}
