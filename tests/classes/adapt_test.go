package classes_test

import (
	"fmt"
	"testing"
	"time"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// TestAdaptation runs a loop that static heuristics misjudge. Once its class has been retransformed, increments fall,
// and counts are those that the program knows itself.
func TestAdaptation(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		t.Parallel()
		command, file := mallardtest.Profiled(t, mallardtest.Compiled(t, jdk, "Skewed"), "-q")
		p := mallardtest.Spawn(t, jdk, command)
		p.Step()
		mallardtest.WaitUntil(t, file, func() bool {
			a := mallardtest.Read(t, file).Adaptation
			return a != nil && a.Classes > 0
		})
		p.Step()
		p.Step()
		checkSkewed(t, p, file, "Skewed$Apart")
		a := mallardtest.Read(t, file).Adaptation
		if a.Increments == 0 || a.Increments*10 > a.Baseline {
			t.Errorf("%d increments in place of %d", a.Increments, a.Baseline)
		}
		if methods := mallardtest.Read(t, file).Classes.Adapted; methods == 0 || a.Refused > 0 || a.JVMNanos == 0 {
			t.Errorf("%d methods, %+v", methods, a)
		}
	})
}

// TestLiveClassesWait: a class is left alone as long as a method of it is running.
func TestLiveClassesWait(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		t.Parallel()
		command := mallardtest.Compiled(t, jdk, "Skewed")
		command.Args = []string{"live"}
		command, file := mallardtest.Profiled(t, command, "-q")
		p := mallardtest.Spawn(t, jdk, command)
		p.Step()
		mallardtest.WaitUntil(t, file, func() bool {
			a := mallardtest.Read(t, file).Adaptation
			return a != nil && a.Live > 0
		})
		p.Step()
		checkSkewed(t, p, file, "Skewed")
		if a := mallardtest.Read(t, file).Adaptation; a.Classes > 0 {
			t.Errorf("%+v", a)
		}
	})
}

// TestNoAdapt: with --no-adapt everything stays as it is.
func TestNoAdapt(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		t.Parallel()
		command, file := mallardtest.Profiled(t, mallardtest.Compiled(t, jdk, "Skewed"), "-q", "--no-adapt")
		p := mallardtest.Spawn(t, jdk, command)
		for range 3 {
			p.Step()
			mallardtest.WaitUntil(t, file, func() bool { return true })
			marks := mallardtest.Read(t, file).Duration
			mallardtest.WaitUntil(t, file, func() bool { return mallardtest.Read(t, file).Duration > marks })
		}
		checkSkewed(t, p, file, "Skewed$Apart")
		if a := mallardtest.Read(t, file).Adaptation; a != nil {
			t.Errorf("%+v", a)
		}
	})
}

// checkSkewed ends the program and compares what it says with what was counted.
func checkSkewed(t *testing.T, p *mallardtest.Process, file, class string) {
	t.Helper()
	output, exit := p.End()
	want := fmt.Sprintf("%d %d\n", mallardtest.Objects(t, file, class, "int[]"),
		mallardtest.Objects(t, file, class, "char[]"))
	if output != want || exit != 0 || p.Stderr.Len() > 0 {
		t.Errorf("the program says %q, counted are %q; exit code %d, stderr:\n%s", output, want, exit,
			p.Stderr.String())
	}
	if r := mallardtest.Read(t, file); !r.Complete || len(r.Losses) > 0 {
		t.Errorf("complete: %v, losses: %v", r.Complete, r.Losses)
	}
}

// TestRetransformingAgent has a Java agent that retransforms classes while they run, before and after ours in the order
// of options, and ours that does the same.
func TestRetransformingAgent(t *testing.T) {
	t.Parallel()
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		plain := mallardtest.Compiled(t, jdk, "Retransformer")
		jar := jvmtest.AgentJar(t, "Retransformer")
		for _, flags := range [][]string{{"--no-adapt"}, {"--adapt-soon"}} {
			for _, ours := range []string{"first", "last"} {
				t.Run(fmt.Sprint(flags, " ours ", ours), func(t *testing.T) {
					command, file := mallardtest.Profiled(t, plain, append(flags, "-q")...)
					command.Options = []string{"-javaagent:" + jar}
					if ours == "last" {
						// The launcher puts these before its arguments, where ours is.
						command.Options, command.Env = nil, []string{"JDK_JAVA_OPTIONS=-javaagent:" + jar}
					}
					output := jdk.MustRun(t, command)
					if output.ExitCode != 9 || output.Stdout != "90600\nother\n" {
						t.Fatalf("%q, exit code %d, stderr:\n%s", output.Stdout, output.ExitCode, output.Stderr)
					}
					want := map[string]int64{"long[]": 9000, "int[]": 3000, "byte[]": 9000, "java.lang.Object[]": 6}
					for allocated, n := range want {
						if got := mallardtest.Objects(t, file, "Retransformer$Work", allocated); got != n {
							t.Errorf("%d of %s, want %d", got, allocated, n)
						}
					}
					for allocated, n := range map[string]int64{"float[]": 300, "double[]": 300, "short[]": 1,
						"boolean[]": 1} {
						if got := mallardtest.Objects(t, file, "Retransformer", allocated); got != n {
							t.Errorf("%d of %s, want %d", got, allocated, n)
						}
					}
				})
			}
		}
	})
}

// TestExitDoesNotWait: HotSpot waits 300 ms at every exit for a thread that is in native code, as the agent's is while
// nothing is wanted of it. One pair of runs that end about as fast with the thread as without it shows that it has
// gone; a busy machine may need several.
func TestExitDoesNotWait(t *testing.T) {
	const waits, pairs = 300 * time.Millisecond, 10
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		run := func(flags ...string) time.Duration {
			command, _ := mallardtest.Profiled(t, mallardtest.Compiled(t, jdk, "Steps"), append(flags, "-q")...)
			started := time.Now()
			mallardtest.RanSteps(t, jdk.MustRun(t, command), 1)
			return time.Since(started)
		}
		var longer []time.Duration
		for range pairs {
			without := run("--no-adapt")
			longer = append(longer, run()-without)
			if longer[len(longer)-1] < waits/2 {
				return
			}
		}
		t.Errorf("runs with the agent's thread took %v longer", longer)
	})
}
