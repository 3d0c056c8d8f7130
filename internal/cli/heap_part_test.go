package cli

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"mallard/internal/heap"
	"mallard/internal/heap/heaptest"
	"mallard/internal/jvmtest"
)

// TestHeapPart: of a large recording that is read from a keyframe on, answers about moments have the rows that they
// have where all is read, and say what they leave out. What is earlier than the first keyframe is found as well, and
// what is not there is said to be missing as always.
func TestHeapPart(t *testing.T) {
	events := heaptest.Random(rand.New(rand.NewPCG(7, 8)), 48_000)
	recorded, err := heaptest.Keyframes(events, heap.NewFollower(false))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "large.mallard")
	if err := os.WriteFile(file, recorded, 0o600); err != nil {
		t.Fatal(err)
	}
	answer := func(file string, in io.Reader, words string) string {
		t.Helper()
		cmd := exec.Command("mallard", append(strings.Fields(words), file)...)
		cmd.Stdin = in
		said, _ := cmd.CombinedOutput() // what it says tells how it ended
		return strings.ReplaceAll(string(said), file, "FILE")
	}
	for _, words := range []string{
		"heap --at 30000s --by class,space,age", "heap --at -100s", "heap --at gc:3", "heap --at gc:48000",
		"heap --map --at gc:31000", "heap --moved --at gc:45001", "heap --diff gc:20000..gc:20500",
		"heap --collections --from 30000s --to 30010s",
	} {
		t.Run(words, func(t *testing.T) {
			words += " --format csv"
			all := answer("/dev/stdin", bytes.NewReader(recorded), words) // a pipe is read as a whole
			if diff := cmp.Diff(all, answer(file, nil, words)); diff != "" {
				t.Errorf("-all +part\n%s", diff)
			}
		})
	}
	for words, want := range map[string]string{
		"heap --at gc:40000":                           "\nRead        from 39",
		"heap --moved --at gc:45001 --format json":     `"collections": 0`,
		"heap --collections --from 30000s --to 30010s": "\nSpan        pauses that began from 30000.0 s to 30010.0 s",
		"heap --from 3s":                               "--from and --to need --collections or --lifetimes",
	} {
		if said := answer(file, nil, words); !strings.Contains(said, want) {
			t.Errorf("%s: no %q in\n%s", words, want, said)
		}
	}
}

// TestHeapPartBySite: the same by site, where objects' tags say which. Of what has none it is not said how many sites
// there are, as counts were not read.
func TestHeapPartBySite(t *testing.T) {
	events := heaptest.Random(rand.New(rand.NewPCG(9, 10)), 48_000)
	var sites []heaptest.Site
	for i := range 40 { // tags are numbers of counters
		sites = append(sites, heaptest.Site{Class: "demo/Main", Method: fmt.Sprint("make", i), Type: "demo/Other",
			Size: 24, Objects: 1 << 40})
	}
	recorded, err := heaptest.Keyframes(events, heap.NewFollower(false), heaptest.Sites(sites...)...)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "large.mallard")
	if err := os.WriteFile(file, recorded, 0o600); err != nil {
		t.Fatal(err)
	}
	answer := func(t *testing.T, file string, in io.Reader, words string) (rows [][]string, sited int) {
		t.Helper()
		cmd := exec.Command("mallard", append(strings.Fields(words+" --format csv"), file)...)
		cmd.Stdin, cmd.Stderr = in, os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v", words, err)
		}
		if rows, err = csv.NewReader(bytes.NewReader(out)).ReadAll(); err != nil {
			t.Fatal(err)
		}
		counted, method := slices.Index(rows[0], "sites"), slices.Index(rows[0], "site.method")
		for _, row := range rows[1:] {
			row[counted] = ""
			if strings.HasPrefix(row[method], "make") {
				sited++
			}
		}
		return rows, sited
	}
	for _, words := range []string{
		"heap --at gc:40000 --by site", "heap --at 30000s --by site,space,age",
		"heap --diff gc:20000..gc:20500 --by site",
	} {
		t.Run(words, func(t *testing.T) {
			all, _ := answer(t, "/dev/stdin", bytes.NewReader(recorded), words)
			part, sited := answer(t, file, nil, words)
			if diff := cmp.Diff(all, part); diff != "" || sited == 0 {
				t.Errorf("%d rows have sites; -all +part\n%s", sited, diff)
			}
		})
	}
	said, _ := exec.Command("mallard", "heap", "--at", "gc:40000", "--by", "site", file).CombinedOutput()
	for _, want := range []string{"\nRead        from 3", "(unknown)"} {
		if !strings.Contains(string(said), want) {
			t.Errorf("no %q in\n%s", want, said)
		}
	}
}

// TestHeapPartByContext: the same by context, by thread, and by site where contexts were recorded, also of threads that
// had ended before the keyframe.
func TestHeapPartByContext(t *testing.T) {
	var recorded bytes.Buffer
	before, round := heaptest.Contexts()
	recorder := heaptest.NewRecorder(&recorded, heap.NewFollower(false), 0)
	recorder.Round = round
	for _, record := range before {
		recorder.Write(record)
	}
	recorder.Record(heaptest.Random(rand.New(rand.NewPCG(7, 8)), 48_000).All())
	if err := recorder.End(); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "large.mallard")
	if err := os.WriteFile(file, recorded.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	sites := regexp.MustCompile(`(?m),\d*$`) // how many, the last column of rows by site
	answer := func(t *testing.T, file string, in io.Reader, words string) string {
		t.Helper()
		cmd := exec.Command("mallard", append(strings.Fields(words+" --format csv"), file)...)
		cmd.Stdin, cmd.Stderr = in, os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v", words, err)
		}
		if strings.Contains(string(out), ",sites\n") {
			out = sites.ReplaceAll(out, nil)
		}
		return string(out)
	}
	const run = "demo.Main.make(Main.java:12);demo.Main.run(Main.java:"
	for words, want := range map[string][]string{
		"heap --at gc:40000 --by context":             {run + "20)", run + "21)", run + "30)"},
		"heap --at 30000s --by thread,class,space":    {"main", "worker 1", "worker 2"},
		"heap --at 30000s --by site":                  {"demo.Main,make,", "demo.Class"},
		"heap --diff gc:20000..gc:20500 --by thread":  {"main", "worker 1", "worker 2", "(unknown)"},
		"heap --diff gc:20000..gc:20500 --by context": {run + "20)", run + "21)", run + "30)"},
		"heap --moved --at gc:45001 --by context":     {run + "20)"},
	} {
		t.Run(words, func(t *testing.T) {
			all, part := answer(t, "/dev/stdin", bytes.NewReader(recorded.Bytes()), words), answer(t, file, nil, words)
			if diff := cmp.Diff(all, part); diff != "" {
				t.Errorf("-all +part\n%s", diff)
			}
			for _, want := range want {
				if !strings.Contains(part, want) {
					t.Errorf("no %q in\n%s", want, part)
				}
			}
		})
	}
	said, _ := exec.Command("mallard", "heap", "--at", "gc:40000", "--by", "thread", file).CombinedOutput()
	if want := "\nRead        from 3"; !strings.Contains(string(said), want) {
		t.Errorf("no %q in\n%s", want, said)
	}
}

// TestTenGigabytes: one second in the middle of a recording of 10 GB is there in seconds, and is what it was; with
// MALLARD_LONG, as it takes minutes to make the recording. Else it is a hundredth of that.
func TestTenGigabytes(t *testing.T) {
	size := int64(100e6)
	if jvmtest.Long() {
		size = 10e9
	}
	name := filepath.Join(t.TempDir(), "large.mallard")
	file, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	flood := heaptest.NewFlood(1)
	recorder := heaptest.NewRecorder(file, heap.NewFollower(false), time.Minute)
	var left []heaptest.Row // by the collection that ended when the file had half of its size
	pause, pauses, written := 0, 0, int64(0)
	for ; written < size; pauses++ {
		events, rows := flood.Pause()
		recorder.Record(events)
		if pauses%100 == 0 {
			if written, err = file.Seek(0, io.SeekCurrent); err != nil {
				t.Fatal(err)
			}
			if left == nil && written >= size/2 {
				pause, left = pauses, rows
			}
		}
	}
	if err := recorder.End(); err != nil {
		t.Fatal(err)
	}
	ask := func(words ...string) []byte {
		cmd := exec.Command("mallard", append([]string{"heap", name, "--format", "json"}, words...)...)
		cmd.Stderr = os.Stderr
		started := time.Now()
		out, err := cmd.Output()
		took := time.Since(started)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%v of %d collections, %d bytes: %v, processor time %v, at most %d MB", words, pauses, written, took,
			cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime(),
			cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss>>10)
		if took > time.Minute {
			t.Errorf("%v took %v", words, took)
		}
		return out
	}
	second := int(time.Second / heaptest.FloodEvery)
	ask("--diff", fmt.Sprintf("gc:%d..gc:%d", pause, pause+second))
	ask("--collections", "--from", fmt.Sprintf("%ds", pause/second), "--to", fmt.Sprintf("%ds", pause/second+1))
	out := ask("--at", fmt.Sprintf("gc:%d", pause), "--by", "class", "--top", "0")
	var answer struct {
		Rows []struct {
			Class          string
			Objects, Bytes uint64
		}
	}
	if err := json.Unmarshal(out, &answer); err != nil {
		t.Fatal(err)
	}
	var got []heaptest.Row
	for _, r := range answer.Rows {
		class := strings.ReplaceAll(r.Class, ".", "/")
		got = append(got, heaptest.Row{Class: class, Objects: r.Objects, Bytes: r.Bytes})
	}
	byClass := cmpopts.SortSlices(func(a, b heaptest.Row) bool { return a.Class < b.Class })
	if diff := cmp.Diff(left, got, byClass); diff != "" {
		t.Errorf("-left +said\n%s", diff)
	}
}
