package session_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/payload"
)

// watched is a program that waits until its Watch has been called, and for the end of the thread that calls it.
const watched = `
import java.util.concurrent.CountDownLatch;
public class Watch implements mallard.Snapshots {
    static final CountDownLatch calls = new CountDownLatch(3);
    static volatile Thread caller;
    static volatile boolean sound = true;
    public Watch() { caller = Thread.currentThread(); }
    public long snapshot(long nanos, long objects, long bytes, long bytecodes) {
        sound &= nanos > 0 && objects >= 0 && bytes >= objects && bytecodes >= 0;
        calls.countDown();
        if (calls.getCount() > 0) return 1_000_000;
        if (Boolean.getBoolean("throws")) throw new IllegalStateException("seen enough");
        return -1;
    }
    public static void main(String[] args) throws Exception {
        long sum = new int[10].length;
        while (!calls.await(1, java.util.concurrent.TimeUnit.MILLISECONDS)) sum += new int[10].length;
        caller.join();
        System.out.println("checksum " + sound + " " + (sum > 0) + " " + caller.getName());
    }
}
class Broken implements mallard.Snapshots {
    Broken(int n) {}
    public long snapshot(long nanos, long objects, long bytes, long bytecodes) { return 0; }
}
class Other {
    public static void main(String[] args) throws InterruptedException {
        Thread.sleep(1000); // a snapshot is taken meanwhile
        System.out.println("checksum");
    }
}
`

func TestOnSnapshot(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		jar, err := payload.API()
		if err != nil {
			t.Fatal(err)
		}
		source := filepath.Join(t.TempDir(), "Watch.java")
		if err := os.WriteFile(source, []byte(watched), 0o666); err != nil {
			t.Fatal(err)
		}
		classes := jdk.MustJavac(t, []string{"-cp", jar}, source)
		for _, test := range []struct {
			name, class, main string
			options, flags    []string
			stdout, stderr    string
		}{
			{"until it has enough", "Watch", "Watch", nil, nil, "checksum true true mallard\n", ""},
			{"contexts, bytecodes", "Watch", "Watch", nil, []string{"--track", "contexts", "--bytecodes"}, "checksum true true mallard\n", ""},
			{"throws", "Watch", "Watch", []string{"-Dthrows=true"}, nil, "checksum true true mallard\n", "mallard: Watch is not called at snapshots any more: java.lang.IllegalStateException: seen enough\n"},
			{"no such class", "Nobody", "Other", nil, nil, "checksum\n", "mallard: Nobody is not called at snapshots any more: java.lang.ClassNotFoundException: Nobody"},
			{"no such constructor", "Broken", "Other", nil, nil, "checksum\n", "mallard: Broken is not called at snapshots any more: java.lang.NoSuchMethodError: "}, // which says more in newer JDKs
		} {
			t.Run(test.name, func(t *testing.T) {
				command := jvmtest.Command{Options: test.options, Classpath: []string{classes, jar}, Main: test.main}
				output, p := record(t, jdk, command, append(test.flags, "--snapshots", "5ms", "--on-snapshot", test.class)...)
				if output.ExitCode != 0 || output.Stdout != test.stdout {
					t.Errorf("the program exits with %d and prints\n%s%s", output.ExitCode, output.Stdout, output.Stderr)
				}
				if test.main == "Watch" && output.Stderr != test.stderr || !strings.HasPrefix(output.Stderr, test.stderr) {
					t.Errorf("stderr is %q, want %q", output.Stderr, test.stderr)
				}
				told := len(p.Losses) > 0 && p.Losses[0].Kind == "on-snapshot"
				if told != (output.Stderr != "") {
					t.Errorf("stderr %q, losses %v", output.Stderr, p.Losses)
				}
				if !p.Complete {
					t.Error(p.Reason)
				}
			})
		}
	})
}
