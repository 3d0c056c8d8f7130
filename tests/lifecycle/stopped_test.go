package lifecycle_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
	"mallard/internal/trace"
)

// tracks are ways to record in which the agent asks different things.
var tracks = [][]string{
	{"--track", "sites"},
	{"--track", "contexts"},
	{"--track", "contexts", "--contexts", "tree"},
	{"--track", "contexts", "--contexts", "encoded"},
}

// large is a class that is too large for a socket to take it, or its new form, at once.
func large() string {
	var b strings.Builder
	b.WriteString("public class Large {\n    static String[] constants() {\n        return new String[] {")
	for i := range 12 {
		fmt.Fprintf(&b, "\"%d%s\", ", i, strings.Repeat("x", 50_000))
	}
	b.WriteString(`};
    }

    public static int make() {
        int sum = 0;
        for (int i = 0; i < 1000; i++) {
            sum += new long[7].length;
        }
        return sum;
    }
}
`)
	return b.String()
}

// TestStoppedMallard stops mallard while classes are loaded: the program waits once, what was loaded meanwhile is
// named, and counts from some time later on. What is loaded before and after that is exact.
func TestStoppedMallard(t *testing.T) {
	const within = 1000 // a busy machine answers sooner
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for _, track := range tracks {
			t.Run(strings.Join(track[1:], " "), func(t *testing.T) {
				flags := append([]string{"-q", "--no-cache", "--snapshots", "20ms",
					"--answer-within", strconv.Itoa(within) + "ms"}, track...)
				program := mallardtest.Compiled(t, jdk, "Comes")
				program.Classpath = append(program.Classpath,
					jdk.MustJavac(t, nil, mallardtest.Written(t, "Large", large())))
				command, file := mallardtest.Profiled(t, program, flags...)
				p := mallardtest.Spawn(t, jdk, command)
				makes := func(name string) (milliseconds int) {
					p.Write(name + "\n")
					took, sum, _ := strings.Cut(p.Line(), " ")
					milliseconds, err := strconv.Atoi(took)
					if err != nil || sum != "7000" {
						t.Fatalf("%s: %s %s, %s", name, took, sum, p.Stderr.String())
					}
					return milliseconds
				}
				makes("A")
				p.Stop()
				if took := makes("Large"); took < within {
					t.Errorf("nobody waited for class Large: the program worked for %d ms", took)
				}
				if took := makes("C"); took >= within {
					t.Errorf("after class Large class C took %d ms", took)
				}
				p.Continue()
				counted := func(class, array string) int64 { return mallardtest.Objects(t, file, class, array) }
				end := time.Now().Add(time.Minute)
				for counted("Large", "long[]") == 0 || counted("Comes$C", "short[]") == 0 {
					if time.Now().After(end) {
						t.Fatal("classes that were missed do not count a minute later")
					}
					makes("Large")
					makes("C")
					makes("D") // its thread begins and ends: late answers are taken when something is said, too
				}
				makes("B")
				if _, exit := p.End(); exit != 7 {
					t.Errorf("exit code %d", exit)
				}
				if a, b := counted("Comes$A", "int[]"), counted("Comes$B", "long[]"); a != 1000 || b != 1000 {
					t.Errorf("%d and %d arrays, want 1000 each", a, b)
				}
				checkMissed(t, mallardtest.Read(t, file), "Large", "Comes$C")
				words := mallardtest.Messages(p.Stderr.String())
				if len(words) != 1 || !strings.Contains(words[0], "has not answered for 1 s") {
					t.Errorf("said %q", words)
				}
			})
		}
	})
}

// checkMissed wants losses of time, and of what came to be in it, and the classes named that were missed.
func checkMissed(t *testing.T, p *profile.Profile, classes ...string) {
	t.Helper()
	if !p.Complete || len(p.Losses) == 0 {
		t.Errorf("complete: %v (%s), losses %v", p.Complete, p.Reason, p.Losses)
	}
	// what was missed has no site; at the end a busy machine may take longer than the test has the program wait
	for _, loss := range p.Losses {
		if !slices.Contains([]string{"unanswered", "unattributed", "live-frames"}, loss.Kind) {
			t.Errorf("%s: %s", loss.Kind, loss.Detail)
		}
	}
	for _, class := range classes {
		if !slices.ContainsFunc(p.Skipped, func(s profile.Skipped) bool { return s.Class == class }) {
			t.Errorf("%s is not named as missed: %v", class, p.Skipped)
		}
	}
}

// TestStoppedAtExit stops mallard before the program ends: that waits for a moment only. When mallard goes on, it finds
// the stacks and all that was counted.
func TestStoppedAtExit(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for _, track := range tracks {
			t.Run(strings.Join(track[1:], " "), func(t *testing.T) {
				// the first is long enough for classes that come before on a busy machine
				flags := append([]string{"-q", "--answer-within", "3s", "--exit-within", "1s"}, track...)
				command, file := mallardtest.Profiled(t, mallardtest.Compiled(t, jdk, "Steps"), flags...)
				p := mallardtest.Spawn(t, jdk, command)
				for range 3 {
					p.Step()
				}
				program, err := unix.PidfdOpen(p.Child(), 0)
				if err != nil {
					t.Fatal(err)
				}
				defer unix.Close(program)
				p.Stop()
				p.Write("\n")
				start := time.Now()
				p.Close()
				if _, err := unix.Poll([]unix.PollFd{{Fd: int32(program), Events: unix.POLLIN}}, 60_000); err != nil {
					t.Fatal(err)
				}
				if took := time.Since(start); took > 20*time.Second { // on a busy machine; a class may come at the end
					t.Errorf("the program took %v to end", took)
				}
				p.Continue()
				if _, exit := p.Wait(); exit != 7 {
					t.Errorf("exit code %d", exit)
				}
				recording := mallardtest.Read(t, file)
				if !recording.Complete {
					t.Errorf("not complete: %s", recording.Reason)
				}
				if n := mallardtest.Objects(t, file, "Steps", "int[]"); n != 4000 {
					t.Errorf("%d arrays, want 4000", n)
				}
				if !slices.ContainsFunc(recording.Losses, func(l trace.Loss) bool { return l.Kind == "live-frames" }) {
					t.Errorf("nothing says that the JVM did not wait: %v", recording.Losses)
				}
			})
		}
	})
}

// TestWaitsAtExit stops the recorder while a program ends that is to wait longer: its counts are exact then.
func TestWaitsAtExit(t *testing.T) {
	t.Parallel()
	jdk := jvmtest.JDKs(t)[0]
	command, file := mallardtest.Profiled(t, mallardtest.Compiled(t, jdk, "Steps"), "-q")
	p := mallardtest.Spawn(t, jdk, command)
	p.Step()
	program, err := unix.PidfdOpen(p.Child(), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(program)
	p.Stop()
	p.Write("\n")
	p.Close()
	const longer = 3000 // milliseconds, than it waits unless told
	if n, err := unix.Poll([]unix.PollFd{{Fd: int32(program), Events: unix.POLLIN}}, longer); n != 0 || err != nil {
		t.Errorf("the program did not wait: %d, %v", n, err)
	}
	p.Continue()
	if _, exit := p.Wait(); exit != 7 {
		t.Errorf("exit code %d", exit)
	}
	recording := mallardtest.Read(t, file)
	if !recording.Complete || len(recording.Losses) > 0 {
		t.Errorf("complete %v: %s, %v", recording.Complete, recording.Reason, recording.Losses)
	}
	if n := mallardtest.Objects(t, file, "Steps", "int[]"); n != 2000 {
		t.Errorf("%d arrays, want 2000", n)
	}
}
