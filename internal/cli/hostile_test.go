package cli

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"mallard/internal/heap/heaptest"
	"mallard/internal/jvmtest"
	"mallard/internal/merge"
	"mallard/internal/profile"
	"mallard/internal/profile/profiletest"
	"mallard/internal/trace"
)

var (
	mutants    = flag.Int("mutants", 100, "how many changed recordings TestMutants asks all questions of")
	recordings = flag.String("recordings", "", "`files`, separated by commas, that TestMutants changes, not small ones")
)

// everyQuestion is what can be asked of FILE.
var everyQuestion = [][]string{
	{"info", "FILE"}, {"info", "FILE", "--check"}, {"info", "FILE", "--check", "--format", "json"},
	{"report", "FILE"}, {"report", "FILE", "--format", "json"}, {"report", "FILE", "--format", "csv"},
	{"report", "FILE", "--by", "class", "--sort", "bytes"}, {"report", "FILE", "--by", "method", "--format", "json"},
	{"report", "FILE", "--by", "thread"}, {"report", "FILE", "--by", "element"},
	{"report", "FILE", "--by", "context"}, {"report", "FILE", "--by", "caller"}, {"source", "FILE", "a*"},
	{"report", "FILE", "--format", "tree", "--mine", "auto"}, {"report", "FILE", "--by", "context", "--format", "json"},
	{"report", "FILE", "--by", "waste"}, {"report", "FILE", "--by", "waste", "--mine", "auto", "--format", "json"},
	{"view", "FILE"}, {"view", "FILE", "--mine", "a*"},
	{"check", "FILE"}, {"report", "FILE", "--by", "class", "--fail-over", "1kB"},
	{"report", "FILE", "--by", "transaction"}, {"report", "FILE", "--format", "tree"},
	{"report", "FILE", "--over-time"}, {"report", "FILE", "--over-time", "--by", "class", "--format", "json"},
	{"report", "FILE", "--from", "1s"}, {"report", "FILE", "--from", "0s", "--to", "2s", "--by", "context"},
	{"report", "FILE", "--gc"}, {"report", "FILE", "--under", "demo.*"},
	{"export", "FILE", "--format", "json", "-o", "-"},
	{"export", "FILE", "--format", "pprof", "-o", "-"}, {"export", "FILE", "--format", "collapsed", "-o", "-"},
	{"export", "FILE", "--format", "collapsed", "--threads", "--lines", "-o", "-"},
	{"export", "FILE", "--format", "html", "-o", "-"}, {"dump", "FILE"}, {"dump", "FILE", "--from", "1s"},
	{"report", "FILE", "FILE", "--by", "program", "--format", "json"}, {"report", "FILE", "-v", "--by", "program"},
	{"merge", "FILE", "FILE", "-o", "/dev/null"}, {"export", "FILE", "--format", "parquet", "-o", "-"},
	{"export", "FILE", "FILE", "--format", "jfr", "-o", "-"},
	{"decode", "FILE", "1", "2", "ffffffffffffffff"},
	{"heap", "FILE"}, {"heap", "FILE", "--by", "class,space,generation,age", "--format", "json"},
	{"heap", "FILE", "--at", "gc:1"}, {"heap", "FILE", "--at", "2s", "--format", "csv"},
	{"heap", "FILE", "--diff", "start..end"}, {"heap", "FILE", "--lifetimes"},
	{"heap", "FILE", "--collections"}, {"heap", "FILE", "--moved", "--by", "site", "--format", "json"},
	{"heap", "FILE", "--removed"},
	{"heap", "FILE", "--by", "site,space", "--format", "csv"},
	{"heap", "FILE", "--by", "site", "--format", "html"}, {"heap", "FILE", "--at", "gc:1", "--format", "html"},
	{"heap", "FILE", "--by", "site,age", "--format", "pprof"},
	{"heap", "FILE", "--churn", "--format", "json"}, {"heap", "FILE", "--growth"}, {"heap", "FILE", "--check"},
	{"heap", "FILE", "--retained"}, {"heap", "FILE", "--dominators", "--format", "json"},
	{"heap", "FILE", "--paths", "*", "--format", "csv"},
	{"replicas", "FILE"}, {"replicas", "FILE", "--by", "site", "--format", "json"},
	{"replicas", "FILE", "--show-values"}, {"replicas", "FILE", "--sampled"},
	{"replicas", "FILE", "--sampled", "--format", "html"}, {"replicas", "FILE", "--sampled", "--format", "pprof"},
	{"replicas", "FILE", "--by", "class", "--format", "html"},
	{"diff", "FILE", "FILE"}, {"diff", "FILE", "FILE", "--by", "class", "--format", "json"},
	{"diff", "FILE", "FILE", "--format", "html"},
}

// TestMutants asks every question of recordings in which anything may be wrong but the checksums. There is an answer,
// or an error of one line; nothing takes more than its bound, or long. A mutant that fails is left in the folder of the
// package's test data, and is asked first from then on.
func TestMutants(t *testing.T) {
	t.Parallel() // behind tests that look at this process's memory
	// The command line library keeps the flags of each question, 6 MB for a recording, which the collector reads again
	// and again where a question limits the memory.
	os.Setenv("GOMEMLIMIT", "1500MiB")
	defer os.Unsetenv("GOMEMLIMIT")
	percent, limit := debug.SetGCPercent(200), debug.SetMemoryLimit(1500<<20)
	defer debug.SetGCPercent(percent)
	defer debug.SetMemoryLimit(limit)
	kept := filepath.Join("testdata", "mutants")
	files, err := filepath.Glob(filepath.Join(kept, "*.mallard"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		askEverything(t, file)
	}
	seeds := recordingsToChange(t)
	file := filepath.Join(t.TempDir(), "mutant.mallard")
	first := time.Now().UnixNano() % 1e9
	if os.Getenv("MALLARD_LONG") == "" {
		first = 1 // the same ones each time
	}
	made := 0
	for seed := uint64(first); made < *mutants; seed++ {
		random := rand.New(rand.NewPCG(seed, 1))
		records := recordsOf(t, encoded(t, seeds[random.IntN(len(seeds))])) // a copy
		for range 1 + random.IntN(4) {
			records = mutated(random, records)
		}
		recording := encoded(t, records)
		if recording == nil {
			continue
		}
		made++
		if err := os.WriteFile(file, recording, 0o600); err != nil {
			t.Fatal(err)
		}
		if !askEverything(t, file) {
			if err := errors.Join(os.MkdirAll(kept, 0o777), os.WriteFile(filepath.Join(kept,
				fmt.Sprintf("%d.mallard", seed)), recording, 0o666)); err != nil {
				t.Error(err)
			}
		}
	}
}

// recordingsToChange gives those that the user has named, or small ones.
func recordingsToChange(t *testing.T) (seeds [][]trace.Record) {
	t.Helper()
	for file := range strings.SplitSeq(*recordings, ",") {
		if file == "" {
			continue
		}
		recording, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		seeds = append(seeds, recordsOf(t, recording))
	}
	if len(seeds) > 0 {
		return seeds
	}
	for _, text := range []string{profiletest.Demo, profiletest.Contexts, profiletest.Transactions} {
		seeds = append(seeds, recordsOf(t, profiletest.MustEncode(t, text)))
	}
	objects, err := heaptest.Recording(heaptest.Demo(), heaptest.DemoSites()...)
	if err != nil {
		t.Fatal(err)
	}
	references, err := heaptest.Recording(heaptest.References())
	if err != nil {
		t.Fatal(err)
	}
	return append(seeds, recordsOf(t, objects), recordsOf(t, references), mergedRecords(t))
}

// mergedRecords are those of a recording that is the sum of two.
func mergedRecords(t *testing.T) []trace.Record {
	t.Helper()
	var sources []merge.Source
	for _, text := range []string{profiletest.Contexts, profiletest.Transactions} {
		p, err := profile.Fold(bytes.NewReader(profiletest.MustEncode(t, text)))
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, merge.Source{File: "a.mallard", Profile: p})
	}
	var merged bytes.Buffer
	if err := merge.Write(&merged, sources, "1.0"); err != nil {
		t.Fatal(err)
	}
	return recordsOf(t, merged.Bytes())
}

// askEverything asks all questions of a recording, and reports whether the answers are as they should be.
func askEverything(t *testing.T, file string) (good bool) {
	t.Helper()
	const longest = 10 * time.Second
	good = true
	for _, question := range everyQuestion {
		question = slices.Clone(question)
		for i, word := range question {
			if word == "FILE" {
				question[i] = file
			}
		}
		began := time.Now()
		code, stderr, panicked := ask(question)
		wrong := ""
		switch took := time.Since(began); {
		case panicked != nil:
			wrong = fmt.Sprintf("panics: %v", panicked)
		case code != 0 && code != exitFailure:
			wrong = fmt.Sprintf("exit code %d: %s", code, stderr)
		case code == exitFailure && slices.Contains(question, "--check") && stderr == "": // that is an answer
		case code == exitFailure && !strings.HasPrefix(stderr, "mallard: "):
			wrong = "says " + stderr
		case took > longest:
			wrong = fmt.Sprintf("takes %v", took)
		}
		if wrong != "" {
			good = false
			t.Errorf("%s %q: %s", filepath.Base(file), question, wrong)
		}
	}
	return good
}

// ask runs one command.
func ask(words []string) (code int, stderr string, panicked any) {
	var said bytes.Buffer
	var exceeded atomic.Bool
	defer func() {
		if panicked = recover(); panicked == nil && exceeded.Load() {
			panicked = "takes more memory than it may"
		}
	}()
	code = Main(context.Background(), words, Environment{Stdin: strings.NewReader(""), Stdout: io.Discard,
		Stderr: &said, Exit: func(int) { exceeded.Store(true) }, Operations: fakeOperations})
	return code, said.String(), nil
}

// recordsOf decodes a recording.
func recordsOf(t *testing.T, recording []byte) (records []trace.Record) {
	t.Helper()
	reader, err := trace.NewReader(bytes.NewReader(recording))
	if err != nil {
		t.Fatal(err)
	}
	for {
		record, err := reader.Next()
		if err == io.EOF {
			return records
		}
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, record)
	}
}

// encoded makes a recording of records; nil where the format has no way to write them.
func encoded(t *testing.T, records []trace.Record) []byte {
	t.Helper()
	var out bytes.Buffer
	writer := trace.NewWriter(&out)
	for _, r := range records {
		if writer.Write(r) != nil {
			return nil
		}
	}
	if writer.Flush() != nil {
		return nil
	}
	return out.Bytes()
}

// mutated changes one record, or where it is.
func mutated(random *rand.Rand, records []trace.Record) []trace.Record {
	if len(records) < 2 {
		return records
	}
	i, j := random.IntN(len(records)), random.IntN(len(records))
	switch random.IntN(10) {
	case 0:
		return slices.Delete(records, i, i+1)
	case 1:
		return slices.Insert(records, j, records[i])
	case 2:
		records[i], records[j] = records[j], records[i]
	default:
		mutateValue(random, reflect.ValueOf(records[i]).Elem())
	}
	return records
}

// texts are names that break something somewhere.
var texts = []string{"", "a", "[", "[[[[[[[[", "(", "(I", "()", "()V", "([[[", "L", "[L;", "\x00", "\xff\xfe", "=1+1",
	"\x1b[31m", "\n\n", "/", "//", ".", ";", "java/lang/Object", "<script>alert(1)</script>", "sites", "contexts", "gc",
	"bytecodes", strings.Repeat("x", 70000), strings.Repeat("[", 300) + "I"}

// mutateValue changes something in a value.
func mutateValue(random *rand.Rand, v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		mutateValue(random, v.Field(random.IntN(v.NumField())))
	case reflect.Array:
		mutateValue(random, v.Index(random.IntN(v.Len())))
	case reflect.Slice:
		n := v.Len()
		switch kind := random.IntN(8); {
		case n == 0 || kind == 0:
			v.Set(reflect.Append(v, reflect.New(v.Type().Elem()).Elem()))
		case kind == 1:
			v.SetLen(random.IntN(n))
		case kind == 2:
			for range 1 + random.IntN(2000) {
				v.Set(reflect.Append(v, v.Index(random.IntN(n))))
			}
		case kind == 3:
			v.Set(reflect.Append(v, v.Index(random.IntN(n))))
		default:
			mutateValue(random, v.Index(random.IntN(n)))
		}
	case reflect.String:
		v.SetString(texts[random.IntN(len(texts))])
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		near := []int64{0, 1, -1, 2, 7, 1000, -1 << 63, 1<<63 - 1, 1 << 31, -1 << 31, v.Int() + 1, v.Int() - 1,
			-v.Int()}
		v.SetInt(near[random.IntN(len(near))])
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		near := []uint64{0, 1, 2, 3, 7, 100, 1 << 20, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1<<64 - 1, v.Uint() + 1,
			v.Uint() - 1}
		v.SetUint(near[random.IntN(len(near))])
	}
}

// chained writes a recording of one method that calls itself, or that many others call, in n contexts that all count.
func chained(t *testing.T, file string, n int, parent func(id int) int) (size int64) {
	t.Helper()
	out, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	writer := trace.NewWriter(out)
	write := func(r trace.Record) {
		if err := writer.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	write(&trace.Process{Track: []string{"sites", "contexts"}, ObjectAlignment: 8})
	write(&trace.ClassDef{Name: strings.Repeat("a/", 500), Counters: 1, Methods: []trace.MethodDef{{Name: "m",
		Descriptor: "()V", Number: 1, Sites: []trace.SiteDef{{Type: "java/lang/Object"}},
		Counters: []trace.CounterDef{{Semantics: []trace.Term{{Coefficient: 1}}}}}}})
	const atOnce = 4000
	for id := 1; id <= n; {
		nodes, counts := &trace.Contexts{}, &trace.ContextCounts{Thread: 1}
		for ; id <= n && len(nodes.Nodes) < atOnce; id++ {
			nodes.Nodes = append(nodes.Nodes, trace.ContextNode{ID: trace.ContextID(id),
				Parent: trace.ContextID(parent(id)), Method: 1, BCI: int32(id)})
			counts.Values = append(counts.Values, trace.ContextValue{Context: trace.ContextID(id), Value: 1})
		}
		write(nodes)
		write(counts)
	}
	write(&trace.End{Complete: true})
	if err := writer.Flush(); err != nil {
		t.Fatal(err)
	}
	info, err := out.Stat()
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// TestBound asks of recordings that are small and stand for much: mallard ends with one line before it takes, or
// prints, more than it may, and leaves no half of a file behind. It has this process for itself: what that has in
// memory when it starts another one is the least that the kernel says the other one had.
func TestBound(t *testing.T) {
	if jvmtest.RaceDetector() {
		t.Skip("the race detector takes memory of its own")
	}
	folder := t.TempDir()
	wide, deep := filepath.Join(folder, "wide.mallard"), filepath.Join(folder, "deep.mallard")
	sizes := map[string]int64{wide: chained(t, wide, 8e6, func(int) int { return 0 }),
		deep: chained(t, deep, 3000, func(id int) int { return id - 1 })}
	out := filepath.Join(folder, "out")
	for _, test := range []struct {
		file, says string
		question   []string
		memory     int64 // that it may take, MiB
	}{
		{wide, "takes more memory than", []string{"report", wide}, 256 + 64*sizes[wide]>>20},
		{wide, "takes more memory than 64MiB", []string{"report", wide, "--max-memory", "64MiB"}, 64},
		{wide, "takes more memory than 64MiB", []string{"info", wide, "--check", "--max-memory", "64MiB"}, 64},
		{wide, "takes more memory than 64MiB", []string{"decode", wide, "1", "--max-memory", "64MiB"}, 64},
		{wide, "takes more memory than 64MiB", []string{"export", wide, "--format", "json", "-o", out, "--max-memory",
			"64MiB"}, 64},
		{wide, "is longer than 64MiB", []string{"dump", wide, "--max-memory", "64MiB"}, 64},
		{deep, "is longer than 64MiB", []string{"export", deep, "--format", "collapsed", "-o", out, "--max-memory",
			"64MiB"}, 64},
		{deep, "", []string{"report", deep, "--by", "class"}, 256},
	} {
		cmd := exec.Command("mallard", test.question...)
		var said bytes.Buffer
		cmd.Stderr = &said
		debug.FreeOSMemory()
		err := cmd.Run()
		if lines := strings.Count(said.String(), "\n"); test.says != "" && (err == nil || lines != 1) ||
			!strings.Contains(said.String(), test.says) || test.says == "" && err != nil {
			t.Errorf("%q: %v, says %q, want %q", test.question, err, said.String(), test.says)
		}
		const slack = 60 // of the binary itself, and its pages; half as much may be taken until somebody looks
		peak := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss >> 10
		if peak > test.memory*3/2+slack {
			t.Errorf("%q took %d MiB", test.question, peak)
		}
		t.Logf("%q of %d KiB took %d MiB and %v", test.question, sizes[test.file]>>10, peak,
			cmd.ProcessState.UserTime())
		if left, _ := filepath.Glob(out + "*"); len(left) > 0 {
			t.Errorf("%q left %v", test.question, left)
		}
	}
}
