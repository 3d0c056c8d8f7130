package lifecycle_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// small are options of a JVM that gets by with little.
var small = []string{"-Xmx16m", "-XX:+UseSerialGC", "-XX:CompressedClassSpaceSize=16m",
	"-XX:ReservedCodeCacheSize=16m", "-Xss256k"}

// TestLimits runs with little of what a process may be given little of. The program runs as without Mallard; where
// there is no room for counters at all, Mallard says so in one line.
func TestLimits(t *testing.T) {
	t.Parallel()
	for _, limit := range []struct {
		name, shell string
		options     []string
		says        string // instead of recording
	}{
		{"address space", "ulimit -v 800000", small, ""},
		{"size of files", "ulimit -f 2000", small, "no memory for counters could be mapped"},
		{"open files", "ulimit -n 24", small, ""},
		{"stacks", "ulimit -s 256", nil, ""},
		{"core files", "ulimit -c 0", nil, ""},
	} {
		jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
			t.Run(limit.name, func(t *testing.T) {
				command := mallardtest.Compiled(t, jdk, "Steps")
				command.Options = limit.options
				command.Stdin = "\n"
				limited := []string{"sh", "-c", limit.shell + `; exec "$@"`, "sh"}
				command.Wrap = limited
				if plain := jvmtest.RunPlain(t, jdk, command); plain.ExitCode != 7 {
					t.Fatalf("this does not run without Mallard either: exit code %d\n%s%s", plain.ExitCode,
						plain.Stdout, plain.Stderr)
				}
				command, file := mallardtest.Profiled(t, command, "-q")
				command.Wrap = append(command.Wrap, limited...)
				output := jdk.MustRun(t, command)
				if output.Stdout != "step 1\nsum 7000\n" || output.ExitCode != 7 {
					t.Fatalf("exit code %d, prints\n%s%s", output.ExitCode, output.Stdout, output.Stderr)
				}
				said := mallardtest.Messages(output.Stderr)
				if limit.says != "" {
					if len(said) == 0 || !strings.Contains(said[0], limit.says) {
						t.Errorf("said %q, want %q", said, limit.says)
					}
					return
				}
				if n := mallardtest.Objects(t, file, "Steps", "int[]"); n != 1000 || len(said) > 0 {
					t.Errorf("%d arrays, want 1000; said %q", n, said)
				}
			})
		})
	}
}

// TestFewReferences runs in JVMs that allow native code few local references at a time. All is recorded: how counters
// are placed anew, what objects refer to, and what is attached to.
func TestFewReferences(t *testing.T) {
	t.Parallel()
	const few = "-XX:MaxJNILocalCapacity=1000"
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i, flags := range [][]string{{"--track", "objects", "--references", "end"}, {mallardtest.AdaptSoon}} {
			if !jvmtest.IsTurn(t, jdk, i) {
				continue
			}
			command := mallardtest.Compiled(t, jdk, "Steps")
			command.Options = append(jvmtest.ShortRun(), few)
			command.Stdin = "\n"
			output, p := mallardtest.Record(t, jdk, command, flags...)
			if output.Stdout != "step 1\nsum 7000\n" || output.ExitCode != 7 || output.Stderr != "" {
				t.Errorf("%v: exit code %d, prints\n%s%s", flags, output.ExitCode, output.Stdout, output.Stderr)
			}
			if !p.Complete || len(p.Losses) > 0 {
				t.Errorf("%v: complete %v, losses %+v", flags, p.Complete, p.Losses)
			}
		}
		p, pid := spawned(t, jdk, few)
		attached := mallardtest.Attach(t, pid)
		p.Step()
		said := attached.Detach(t, pid)
		if n := mallardtest.Objects(t, attached.File, "Steps", "int[]"); n != 1000 {
			t.Errorf("%d arrays; losses %+v\n%s", n, mallardtest.Read(t, attached.File).Losses, said)
		}
		if output, exit := p.End(); exit != 7 || output != "sum 14000\n" {
			t.Errorf("attached: exit code %d, output %q", exit, output)
		}
	})
}

// TestLittleData runs with little memory that a process may write to (ulimit -d). What is kept for objects is large,
// and mostly not used: it does not count.
func TestLittleData(t *testing.T) {
	t.Parallel()
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		command := mallardtest.Compiled(t, jdk, "Endings")
		command.Args = []string{"busy"}
		command.Options = small
		limited := []string{"sh", "-c", `ulimit -d 250000; exec "$@"`, "sh"}
		command.Wrap = limited
		plain := jvmtest.RunPlain(t, jdk, command)
		command, file := mallardtest.Recorded(t, command, "--track", "objects", "--references", "end")
		command.Wrap = append(command.Wrap, limited...)
		output := jdk.MustRun(t, command)
		if output.Stdout != plain.Stdout || output.ExitCode != plain.ExitCode {
			t.Errorf("exit code %d, prints\n%s%s", output.ExitCode, output.Stdout, output.Stderr)
		}
		if p := mallardtest.Read(t, file); !p.Complete || len(p.Losses) > 0 {
			t.Errorf("complete %v, losses %+v", p.Complete, p.Losses)
		}
	})
}

// TestLittleAddressSpace runs within limits that leave a JVM little. How much is left depends on how many times malloc
// sets 64 MB aside: alone, JVMs run within 400 MB and some of these limits, and not within others. With Mallard they
// run in all.
func TestLittleAddressSpace(t *testing.T) {
	t.Parallel()
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for kilobytes := 420_000; kilobytes < 580_000; kilobytes += 12_000 {
			command := mallardtest.Compiled(t, jdk, "Steps")
			command.Options = small
			command.Stdin = "\n"
			command, file := mallardtest.Profiled(t, command, "-q")
			command.Wrap = append(command.Wrap, "sh", "-c", fmt.Sprintf(`ulimit -v %d; exec "$@"`, kilobytes), "sh")
			output := jdk.MustRun(t, command)
			if output.Stdout != "step 1\nsum 7000\n" || output.ExitCode != 7 {
				t.Errorf("within %d KB: exit code %d, prints\n%s%s", kilobytes, output.ExitCode, output.Stdout,
					output.Stderr)
				continue
			}
			if n := mallardtest.Objects(t, file, "Steps", "int[]"); n != 1000 {
				t.Errorf("within %d KB: %d arrays, want 1000", kilobytes, n)
			}
		}
	})
}

// TestContainer runs in a control group with 256 MB of memory for the JVM and Mallard together, as in a small
// container, and makes garbage and threads there.
func TestContainer(t *testing.T) {
	t.Parallel()
	const limit = 256 << 20
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		group := memoryGroup(t, limit)
		command := mallardtest.Compiled(t, jdk, "Threads")
		command.Args = []string{"together", "200"}
		command, file := mallardtest.Profiled(t, command, "-q")
		command.Wrap = append([]string{"sh", "-c", `echo $$ > ` + group + `/cgroup.procs; exec "$@"`, "sh"},
			command.Wrap...)
		output := jdk.MustRun(t, command)
		if output.Stdout != "done\n" || output.ExitCode != 0 || output.Stderr != "" {
			t.Fatalf("%q, exit code %d, stderr:\n%s", output.Stdout, output.ExitCode, output.Stderr)
		}
		if n := mallardtest.Objects(t, file, "Threads", "int[]"); n != 2000 {
			t.Errorf("%d arrays, want 2000", n)
		}
		for _, name := range []string{"memory.max_usage_in_bytes", "memory.peak"} {
			if peak, err := os.ReadFile(filepath.Join(group, name)); err == nil {
				t.Logf("at most %s of %d bytes were used", strings.TrimSpace(string(peak)), limit)
			}
		}
	})
}

// memoryGroup makes a control group with a limit, of version 1 or 2; without the right to make one it skips the test.
func memoryGroup(t *testing.T, limit int) string {
	t.Helper()
	for _, version := range []struct{ root, file string }{{"/sys/fs/cgroup/memory", "memory.limit_in_bytes"},
		{"/sys/fs/cgroup", "memory.max"}} {
		group, err := os.MkdirTemp(version.root, "mallard-test-")
		if err != nil {
			continue
		}
		t.Cleanup(func() { os.Remove(group) })
		if err := os.WriteFile(filepath.Join(group, version.file), fmt.Append(nil, limit), 0o600); err == nil {
			return group
		}
	}
	jvmtest.Missing(t, "no control group with a limit of memory can be made here")
	return ""
}
