package truth_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
	"mallard/internal/symbols"
)

// TestClassObjects holds what was counted, what the JVM made for classes included, against a heap that was never
// collected: mirrors are all there, nothing is counted that was not made, and little is missing.
func TestClassObjects(t *testing.T) {
	t.Parallel()
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for _, program := range jvmtest.Programs(t) {
			if program.Name != "Lambdas" && program.Name != "Strings" {
				continue
			}
			command := program.Command(t, jdk)
			for _, track := range []string{"sites", "contexts"} {
				t.Run(program.Name+" "+track, func(t *testing.T) {
					compareHeap(t, jdk, command, track)
				})
			}
		}
	})
}

// TestConstantFields compares the strings that static fields have for constants with a heap that was never collected:
// the VM makes those that are not there yet, and just these are counted.
func TestConstantFields(t *testing.T) {
	t.Parallel()
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		library, err := jdk.Agent(mallardtest.Source(t, "agents", "heap.c"))
		if err != nil {
			t.Fatal(err)
		}
		command := mallardtest.Compiled(t, jdk, "Constants")
		missing := map[string]map[string]profile.Amount{} // what the heap has and is not counted, by argument and class
		for _, argument := range []string{"none", "unused", "made"} {
			file := filepath.Join(t.TempDir(), "heap")
			command.Args = []string{argument}
			command.Options = []string{"-Xint", "-XX:+UnlockExperimentalVMOptions", "-XX:+UseEpsilonGC", "-Xmx512m",
				"-agentpath:" + library + "=" + file}
			_, p := mallardtest.Record(t, jdk, command, "--track", "sites")
			inHeap, _ := readHeap(t, file)
			for _, row := range p.Rows(profile.Query{By: profile.ByClass}).Rows {
				made := inHeap[row.Class]
				made.Objects, made.Bytes = made.Objects-row.Amount.Objects, made.Bytes-row.Amount.Bytes
				inHeap[row.Class] = made
			}
			missing[argument] = inHeap
		}
		for _, class := range []string{"java.lang.String", "byte[]"} {
			for _, argument := range []string{"unused", "made"} {
				if got, want := missing[argument][class], missing["none"][class]; got != want {
					t.Errorf("%s: %s: %+v are not counted, %+v where no class with constants is loaded", argument,
						class, got, want)
				}
			}
		}
	})
}

// TestOwnThreads: as many threads are the VM's own as its thread dump has and programs are not shown.
func TestOwnThreads(t *testing.T) {
	t.Parallel()
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		command := mallardtest.Compiled(t, jdk, "OwnThreads")
		command.Options = []string{"-XX:-UseDynamicNumberOfCompilerThreads"} // none comes behind the dump
		output, p := mallardtest.Record(t, jdk, command, "--track", "sites")
		want, err := strconv.ParseInt(strings.TrimSpace(output.Stdout), 10, 64)
		if err != nil || want == 0 {
			t.Fatalf("printed %q, %s", output.Stdout, output.Stderr)
		}
		got := int64(0)
		for _, row := range p.Rows(profile.Query{By: profile.BySite}).Rows {
			if row.Class == "java.lang.Thread" && row.Site.Class == symbols.VM {
				got += row.Amount.Objects
			}
		}
		if got != want {
			t.Errorf("%d threads are counted, and there are %d", got, want)
		}
	})
}

// mostMissing is how many objects of classes are not counted, which the JVM makes as it starts, or for threads of its
// own that it lets others see; most of them in JDK 21.
var mostMissing = map[string]int64{"java.lang.Thread": 5, "java.security.AccessControlContext": 2,
	"java.lang.String[]": 1}

func compareHeap(t *testing.T, jdk jvmtest.JDK, command jvmtest.Command, track string) {
	library, err := jdk.Agent(mallardtest.Source(t, "agents", "heap.c"))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "heap")
	command.Options = []string{"-Xint", "-XX:+UnlockExperimentalVMOptions", "-XX:+UseEpsilonGC", "-Xms512m", "-Xmx512m",
		"-agentpath:" + library + "=" + file}
	_, p := mallardtest.Record(t, jdk, command, "--track", track)
	inHeap, total := readHeap(t, file)
	for _, row := range p.Rows(profile.Query{By: profile.ByClass}).Rows {
		made := inHeap[row.Class]
		switch {
		case row.Class == "java.lang.Class":
			const primitive = 9 // types, void included: their mirrors are in no loader's list
			if made.Objects-row.Amount.Objects != primitive {
				t.Errorf("%d mirrors are counted, and there are %d", row.Amount.Objects, made.Objects)
			}
		case mostMissing[row.Class] > 0:
			if n := made.Objects - row.Amount.Objects; n < 0 || n > mostMissing[row.Class] {
				t.Errorf("%s: %d are counted, and there are %d", row.Class, row.Amount.Objects, made.Objects)
			}
		case made.Objects > 0 && (row.Amount.Objects > made.Objects || row.Amount.Bytes > made.Bytes):
			t.Errorf("%s: %+v are counted, and there are %+v", row.Class, row.Amount, made)
		}
	}
	t.Logf("%d of %d bytes have no site", p.Reconciliation.AtNoSite(), total)
	const most = 2 // percent of the bytes without a site, the JVM's start included
	if missing := p.Reconciliation.AtNoSite(); 100*missing > most*total {
		t.Errorf("%d of %d bytes have no site: %+v", missing, total, *p.Reconciliation)
	}
}

// readHeap gives what the agent heap.c has found, by class.
func readHeap(t *testing.T, file string) (byClass map[string]profile.Amount, bytes int64) {
	text, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer text.Close()
	byClass = map[string]profile.Amount{}
	for {
		var signature string
		var a profile.Amount
		if _, err := fmt.Fscanln(text, &signature, &a.Objects, &a.Bytes); err != nil {
			return byClass, bytes
		}
		if signature[0] == 'L' {
			signature = signature[1 : len(signature)-1]
		}
		byClass[symbols.TypeName(signature)] = a
		bytes += a.Bytes
	}
}
