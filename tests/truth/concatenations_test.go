package truth_test

import (
	"fmt"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// TestConcatenationsOverflow compares what is counted in a thread, which concatenates strings until its stack
// overflows, with the JVM's bytes of the thread. The array of a string is there before that, and nobody else's.
func TestConcatenationsOverflow(t *testing.T) {
	const thrown = 40 // bytes of a StackOverflowError, which is not counted
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		classes := jdk.MustJavac(t, nil, mallardtest.Source(t, "Concatenations.java"))
		for _, compiler := range []string{"-Xint", "-XX:TieredStopAtLevel=1"} {
			t.Run(compiler, func(t *testing.T) {
				output, p := mallardtest.Record(t, jdk, jvmtest.Command{Classpath: []string{classes},
					Main: "Concatenations", Options: []string{compiler, "-XX:-StackTraceInThrowable"}})
				var allocated, overflows int64
				if _, err := fmt.Sscan(output.Stdout, &allocated, &overflows); err != nil || overflows == 0 {
					t.Fatalf("%v: %s", err, output.Stdout)
				}
				for _, thread := range p.Threads {
					var counted int64
					for _, cell := range thread.Cells {
						counted += cell.Amount.Bytes
					}
					if thread.Name == "measured" && counted != allocated-thrown*overflows {
						t.Errorf("%d bytes are counted of %d, with %d errors", counted, allocated, overflows)
					}
				}
			})
		}
	})
}
