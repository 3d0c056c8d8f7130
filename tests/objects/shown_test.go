package objects_test

import (
	"strconv"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// TestShown has another thread lock objects all the time while constructors end that show them to it. Where the headers
// of locked objects are pointers, as on JDK 17, the JVM crashes if such an object is tagged as one that nobody knows.
func TestShown(t *testing.T) {
	const objects = 200000
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		command := mallardtest.Compiled(t, jdk, "Shown")
		command.Args = []string{strconv.Itoa(objects)}
		history, _, output := recordedAll(t, jdk, command, "sites,objects")
		want := strconv.Itoa(objects) + " objects, locked, 0 lost\n"
		if output.ExitCode != 0 || output.Stdout != want {
			t.Fatalf("exit code %d\n%s%s", output.ExitCode, output.Stdout, output.Stderr)
		}
		checkHeap(t, jdk, history)
	})
}
