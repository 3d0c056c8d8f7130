package objects_test

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"testing"

	"mallard/internal/heap"
	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// vast is a heap with very many objects, or very large ones.
type vast struct {
	name      string
	objects   int64
	megabytes int64 // of an array
	options   []string
	needs     int64 // GB of memory that are available
}

var vasts = []vast{
	{"a million objects", 1_000_000, 1, []string{"-Xmx96m", "-Xmn12m"}, 0},
	{"64 MB", 1000, 64, []string{"-Xmx256m"}, 0},
}

// long ones take a minute and more each.
var longVasts = []vast{
	{"100 million objects", 100_000_000, 1, []string{"-Xmx8g", "-Xmn1g"}, 12},
	{"2 GB", 1000, 2048, []string{"-Xmx6g"}, 8},
}

// TestVast holds what is born and held against a program with a million objects, or arrays of 64 MB; in the long
// version also with 100 million in 8 GB, and arrays of 2 GB.
func TestVast(t *testing.T) {
	all := vasts
	if jvmtest.Long() {
		all = append(all, longVasts...)
	}
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i, collector := range []string{"Parallel", "G1"} {
			for k, v := range all {
				if !jvmtest.IsTurn(t, jdk, i+k) {
					continue
				}
				t.Run(collector+" "+v.name, func(t *testing.T) {
					if available := availableGB(t); available < v.needs {
						t.Skipf("%d GB of memory are available, of %d that it needs", available, v.needs)
					}
					v.test(t, jdk, collector)
				})
			}
		}
	})
}

func (v *vast) test(t *testing.T, jdk jvmtest.JDK, collector string) {
	t.Helper()
	command := mallardtest.Compiled(t, jdk, "Vast")
	command.Options = append([]string{"-XX:+Use" + collector + "GC"}, v.options...)
	command.Args = []string{strconv.FormatInt(v.objects, 10), strconv.FormatInt(v.megabytes, 10)}
	history, p, output := recordedBoth(t, jdk, command)
	if want := fmt.Sprintf("%d objects, %d MB\n", v.objects, v.megabytes); output.Stdout != want {
		t.Fatalf("exit code %d\n%s%s", output.ExitCode, output.Stdout, output.Stderr)
	}
	if len(p.Losses) > 0 {
		t.Errorf("losses %+v", p.Losses)
	}
	checkHeap(t, jdk, history)
	const each = 56
	array := v.megabytes<<20 + 16
	all, left := born(t, history), held(history, len(history.Pauses)-2)
	for what, is := range map[string][2]heap.Amount{
		"objects born": {{Objects: v.objects, Bytes: each * v.objects}, all["Vast$Live"]},
		"objects held": {{Objects: v.objects, Bytes: each * v.objects}, left["Vast$Live"]},
		"arrays born":  {{Objects: 3, Bytes: 3 * array}, all["Vast$Nothing[]"]},
		"arrays held":  {{Objects: 1, Bytes: array}, left["Vast$Nothing[]"]},
	} {
		if is[0] != is[1] {
			t.Errorf("%s: %+v, want %+v", what, is[1], is[0])
		}
	}
}

// availableGB is how much memory programs may take.
func availableGB(t *testing.T) (gb int64) {
	t.Helper()
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		t.Fatal(err)
	}
	const name = "MemAvailable:"
	if at := bytes.Index(text, []byte(name)); at < 0 {
		t.Fatal("how much memory is available is not known")
	} else if _, err := fmt.Sscan(string(text[at+len(name):]), &gb); err != nil {
		t.Fatal(err)
	}
	return gb >> 20
}
