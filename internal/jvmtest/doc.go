// Package jvmtest runs real JVMs for tests and measurements.
//
// It finds the JDKs of the machine, compiles Java programs and native agents with them, runs them, and knows the test
// programs under testdata/programs: what each needs, how it ends, and what it allocates, which its source says line by
// line:
//
//	// threads: single, crosses: no, min-jdk: 17, exit: 0, deterministic: yes
//	class Squares {
//	    ...
//	    int[] row = new int[8]; // alloc: int[] x3
//
// A second opinion comes from the oracle agent (testdata/oracle), which counts through JVMTI and shares no code with
// the product. A differential test is then:
//
//	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
//		for _, program := range jvmtest.Programs(t) {
//			command := program.Command(t, jdk)          // compiled, ready to run
//			plain := jdk.MustRun(t, command)            // stdout, exit code
//			truth := jvmtest.RunOracle(t, jdk, command) // objects per class and per site
//			command.Wrap = []string{mallard, "run", "-o", file, "--"}
//			profiled := jdk.MustRun(t, command)
//			...
//
// It is not part of the product and knows nothing of recordings: reading a report is the caller's affair.
package jvmtest
