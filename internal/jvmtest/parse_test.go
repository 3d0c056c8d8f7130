package jvmtest

import (
	"strings"
	"testing"
)

func TestJavaType(t *testing.T) {
	for name, want := range map[string]string{
		"java.lang.String":                "java.lang.String",
		"[[I":                             "int[][]",
		"[Ljava.lang.String;":             "java.lang.String[]",
		"[[LOuter$Inner;":                 "Outer$Inner[][]",
		"[Z":                              "boolean[]",
		"Loops$$Lambda/0x0000000800000a0": "Loops$$Lambda/0x0000000800000a0",
	} {
		if got := JavaType(name); got != want {
			t.Errorf("JavaType(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestParseProgram(t *testing.T) {
	const header = "// threads: multi, crosses: yes, min-jdk: 21, release: 11, exit: 3, deterministic: yes, stdin: " +
		"two words\n"
	program, err := parseProgram("dir/P.java", header+"class P {\n  x(); // alloc: int[] x3, P$Q x12\n  y(); // "+
		"unseen: P[] x1\n}\n")
	if err != nil {
		t.Fatal(err)
	}
	if program.Name != "P" || !program.MultiThreaded || !program.Crosses || program.MinJDK != 21 ||
		program.Release != 11 ||
		program.Exit != 3 || !program.Deterministic || program.Stdin != "two words\n" {
		t.Errorf("header: %+v", program)
	}
	want := []Expectation{{false, 3, "int[]", 3}, {false, 3, "P$Q", 12}, {true, 4, "P[]", 1}}
	for i, expected := range program.Expected {
		if i >= len(want) || expected != want[i] {
			t.Errorf("annotation %d: %+v", i, expected)
		}
	}
	if sums := program.ObjectsByClass(false); len(sums) != 2 || sums["P$Q"] != 12 {
		t.Errorf("sums without the unseen: %v", sums)
	}
	for class, declared := range map[string]bool{"P": true, "P$Q[]": true, "PQ": false, "int[]": false,
		"P$$Lambda/0x1": false} {
		if program.Declares(class) != declared {
			t.Errorf("Declares(%q) is %v", class, !declared)
		}
	}
}

func TestParseProgramErrors(t *testing.T) {
	const header = "// threads: single, min-jdk: 17\n"
	for source, want := range map[string]string{
		"class P {}":                            "not a header",
		"// threads: many, min-jdk: 17":         "want single or multi",
		"// threads: single":                    "no min-jdk",
		"// colour: blue, min-jdk: 17":          `unknown property "colour"`,
		header + "x(); // alloc: int[]":         "want CLASS xN",
		header + "x(); // alloc: int[] x1 or 2": "want CLASS xN",
	} {
		if _, err := parseProgram("P.java", source); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", source, err, want)
		}
	}
}
