package classes_test

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/trace"
)

// TestUnloadedLoaders has thousands of short-lived loaders: their counts are kept, exactly, and their counters' numbers
// are used again, so that neither the recorder nor the blocks grow.
func TestUnloadedLoaders(t *testing.T) {
	t.Parallel()
	const steps = 5
	perStep := 600
	if jvmtest.Long() {
		perStep = 1200
	}
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		command := mallardtest.Compiled(t, jdk, "Loaders")
		command.Args = []string{strconv.Itoa(perStep), strconv.Itoa(steps)}
		command.Options = []string{"-Xmx64m", "-XX:MaxMetaspaceSize=64m"}
		command, file := mallardtest.Profiled(t, command, "-q")
		p := mallardtest.Spawn(t, jdk, command)
		var recorder, blocks []int64
		for step := range steps {
			if step > 0 {
				p.Step()
			} else if line := p.Line(); line != "step 1" {
				t.Fatalf("%q in place of a step; stderr:\n%s", line, p.Stderr.String())
			}
			pid := mallardtest.WriterOf(t, file)
			recorder, blocks = append(recorder, residentMemory(t, pid)), append(blocks, blocksMemory(t, pid))
		}
		if output, exit := p.End(); !strings.HasPrefix(output, "sum ") || exit != 0 || p.Stderr.Len() > 0 {
			t.Errorf("%q, exit code %d, stderr:\n%s", output, exit, p.Stderr.String())
		}
		checkLoaders(t, file, int64(perStep*steps), true)
		retired, first, end := retirements(t, file)
		if retired < perStep*(steps-1) {
			t.Errorf("%d classes are retired, want all but the last of %d", retired, perStep*steps)
		}
		if end > first+trace.CounterID(20*perStep) {
			t.Errorf("counters' numbers go up to %d, to %d before any was retired", end, first)
		}
		if n := recorder[steps-1] - recorder[1]; n > 24<<20 { // what a collector may leave lying about, once it has run
			t.Errorf("the recorder grew by %d bytes: %d", n, recorder)
		}
		if n := blocks[steps-1] - blocks[0]; n > 1<<20 {
			t.Errorf("the blocks grew by %d bytes: %d", n, blocks)
		}
	})
}

// checkLoaders compares what classes of so many loaders made, where the classes of what calls make are known, or only
// some are.
func checkLoaders(t *testing.T, file string, all int64, known bool) {
	t.Helper()
	large := all / 3
	small := all - large
	copied := map[string]int64{"int[]": 2 * small, "java.lang.Object[]": 2 * small, "java.lang.String[]": small / 2,
		"java.lang.Integer[]": 3 * small / 2}
	if !known {
		references := int64(0)
		for _, class := range []string{"java.lang.Object[]", "java.lang.String[]", "java.lang.Integer[]"} {
			references += mallardtest.Objects(t, file, "Loaders$Small", class)
			delete(copied, class)
		}
		if references != 4*small {
			t.Errorf("%d arrays of references, want %d", references, 4*small)
		}
	}
	for class, want := range map[string]map[string]int64{
		"Loaders$Small": copied,
		"Loaders$Large": {"int[]": 2 * large, "long[]": large, "byte[]": 6 * large, "char[]": 3 * large / 2,
			"short[]": 3*large/2 + 3*large},
	} {
		for allocated, n := range want {
			if got := mallardtest.Objects(t, file, class, allocated); got != n {
				t.Errorf("%s: %d of %s, want %d", class, got, allocated, n)
			}
		}
	}
}

// TestUnloadedWithoutContexts unloads classes that count outside contexts, since there is no memory for more: the words
// that they counted in are nobody's then, and no other class's that has their counters' numbers.
func TestUnloadedWithoutContexts(t *testing.T) {
	t.Parallel()
	jdk := jvmtest.JDKs(t)[0]
	for _, representation := range []string{"hashed", "tree", "encoded"} {
		t.Run(representation, func(t *testing.T) {
			t.Parallel()
			const steps = 4
			perStep := 300
			if jvmtest.Long() {
				perStep = 600
			}
			command := mallardtest.Compiled(t, jdk, "Loaders")
			command.Args = []string{strconv.Itoa(perStep), strconv.Itoa(steps)}
			command.Options = []string{"-Xmx64m", "-XX:MaxMetaspaceSize=64m"}
			command, file := mallardtest.Profiled(t, command, "-q", "--track", "contexts", "--context-memory", "1",
				"--contexts", representation)
			p := mallardtest.Spawn(t, jdk, command)
			p.Line()
			for range steps - 1 {
				p.Step()
			}
			if _, exit := p.End(); exit != 0 {
				t.Errorf("exit code %d: %s", exit, p.Stderr.String())
			}
			checkLoaders(t, file, int64(perStep*steps), false)
			losses := slices.DeleteFunc(mallardtest.Read(t, file).Losses, func(l trace.Loss) bool {
				return l.Kind == "unattributed" // thousands of class mirrors
			})
			if len(losses) != 1 || losses[0].Kind != "contexts" {
				t.Errorf("losses %v, want one of contexts that there was no memory for", losses)
			}
		})
	}
}

// retirements counts the classes that a recording says are gone, and gives the end of the counters' numbers at first
// and in all.
func retirements(t *testing.T, file string) (retired int, first, end trace.CounterID) {
	t.Helper()
	mallardtest.EachRecord(t, file, func(record trace.Record) {
		switch r := record.(type) {
		case *trace.Retired:
			retired++
		case *trace.ClassDef:
			end = max(end, r.CounterBase+trace.CounterID(r.Counters))
			if retired == 0 {
				first = end
			}
		}
	})
	return retired, first, end
}

// residentMemory gives the bytes of a process that are in memory and belong to no file.
func residentMemory(t *testing.T, pid int) int64 {
	t.Helper()
	status, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(status)) {
		if words := strings.Fields(line); words[0] == "RssAnon:" {
			n, err := strconv.ParseInt(words[1], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			return n << 10
		}
	}
	t.Fatal("no RssAnon")
	return 0
}

// blocksMemory gives the bytes that the blocks held by a recorder take.
func blocksMemory(t *testing.T, pid int) int64 {
	t.Helper()
	links, err := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/fd/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, link := range links {
		if to, err := os.Readlink(link); err == nil && strings.HasPrefix(to, "/memfd:mallard") {
			return blocks(t, link)
		}
	}
	t.Fatal("the recorder has no blocks")
	return 0
}

// blocks gives the bytes of storage that a file takes.
func blocks(t *testing.T, file string) int64 {
	t.Helper()
	var s unix.Stat_t
	if err := unix.Stat(file, &s); err != nil {
		t.Fatal(err)
	}
	return 512 * s.Blocks
}
