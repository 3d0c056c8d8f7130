package cli

import (
	"archive/zip"
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"hash/crc32"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"

	"mallard/internal/abi"
	"mallard/internal/heap/heaptest"
	"mallard/internal/jvm"
	"mallard/internal/launch"
	"mallard/internal/observe/registry"
	"mallard/internal/profile"
	"mallard/internal/profile/profiletest"
	"mallard/internal/replica"
	"mallard/internal/trace"
	"mallard/internal/view"
)

var update = flag.Bool("update", false, "rewrite what the tests expect, and fail")

func TestMain(m *testing.M) {
	if name := filepath.Base(os.Args[0]); name != "mallard" { // scripts choose for themselves
		os.Setenv("TZ", "UTC")
	}
	testscript.Main(m, map[string]func(){
		"mallard": func() {
			os.Exit(Main(context.Background(), os.Args[1:], Environment{
				Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Exit: os.Exit, Operations: fakeOperations,
			}))
		},
	})
}

// fakeOperations starts nothing. Its program prints its arguments and how it is
// recorded, and ends as its name says: exit3, unrecorded, or notstarted.
var fakeOperations = Operations{
	Run: func(_ context.Context, o launch.Options) (int, error) {
		name := filepath.Base(o.Command[0])
		if name == "notstarted" {
			return 0, &launch.NotStarted{Err: errors.New("notstarted: no such program")}
		}
		fmt.Fprintf(o.Stdout, "%q output %s force %v sites %v placement %s no-adapt %v quiet %v\n",
			o.Command, o.Output, o.Force, o.Record.Observers.Has("sites"), o.Record.Placement, o.Record.NoAdapt,
			o.Quiet)
		if name == "notfound" {
			return 0, &launch.NotStarted{Err: errors.New("notfound: command not found"), Code: launch.NotFound}
		}
		if name == "unrecorded" {
			return 4, errors.New("the recording could not be written: disk full")
		}
		code, _ := strconv.Atoi(strings.TrimPrefix(name, "exit"))
		return code, nil
	},
	Attach: func(_ context.Context, pid int, during time.Duration, o launch.Options) error {
		if pid == 404 {
			return errors.New("there is no process 404")
		}
		fmt.Fprintf(o.Stdout, "attached to %d for %v output %s force %v placement %s quiet %v\n", pid, during, o.Output,
			o.Force, o.Record.Placement, o.Quiet)
		return nil
	},
	Detach: func(pid int) error {
		if pid == 404 {
			return errors.New(`no "mallard attach" of this user's records process 404`)
		}
		return nil
	},
	JVMs: func() []jvm.Running {
		return []jvm.Running{{PID: 4711, Command: []string{"/jdk/bin/java", "-jar", "lib/shop.jar", "demo.Main"}},
			{PID: 4712, Command: []string{"java", "-cp", "x", "org.demo.Main", "7"}},
			{PID: 4713, Command: []string{"java", "org.demo.Other"}},
			{PID: 4714, Command: []string{"java", "org.demo.Other"}}}
	},
	Record:    func(uintptr, launch.Options) error { return errors.New("the agent hung up") },
	AgentPath: func() (string, error) { return "/cache/libmallard.so", nil },
	APIJar:    func() (string, error) { return "/cache/mallard-api.jar", nil },
	View:      lookAround,
}

// lookAround asks for all that a page shows of a recording, once, instead of serving it, and says how much that is.
func lookAround(_ context.Context, o view.Serving) error {
	r := view.New(o.First.Profile, o.Mine)
	if o.First.Open != nil {
		file, err := o.First.Open()
		if err != nil {
			return err
		}
		defer file.Close()
		changes, err := view.NewTiming(file).Read(r)
		if err != nil {
			return err
		}
		r.SetChanges(changes)
	}
	pages, shown := []func() (*view.Page, error){o.Main}, []string{}
	for _, name := range slices.Sorted(maps.Keys(o.Others)) {
		shown = append(shown, "page "+name)
		pages = append(pages, func() (*view.Page, error) { return o.Others[name](o.First.Profile, profile.Span{}) })
	}
	for _, page := range pages {
		if made, err := page(); err != nil || len(made.Text) == 0 || !strings.Contains(made.Policy, "'sha256-") {
			return fmt.Errorf("the page: %v", err)
		}
	}
	for _, tree := range []view.Tree{view.Calls, view.Classes} {
		for _, lines := range []bool{false, true} {
			piece, err := r.Piece(view.PieceQuery{Tree: tree, Options: view.Options{Lines: lines, Folded: !lines},
				Query: view.Query{Span: profile.Span{From: time.Second}}, Width: 1000})
			if err != nil || len(piece.Trail) != 1 {
				return fmt.Errorf("%s: %v", tree, err)
			}
		}
	}
	for _, by := range []string{"method", "class", "site", "line", "thread", "transaction"} {
		rows, err := r.Rows(view.RowsQuery{By: by, Sort: "all", Count: 10})
		if err != nil {
			return err
		}
		for _, row := range rows.Rows {
			if _, err := r.Source(view.Query{}, row.File, 0, o.Find); err != nil && !errors.Is(err, view.ErrSource) {
				return err
			}
		}
		shown = append(shown, fmt.Sprint(rows.Count, " by ", by))
	}
	if _, err := r.Found(view.Query{}, "/a/"); err != nil {
		return err
	}
	o.Ready(fmt.Sprintf("%s, %d intervals", strings.Join(shown, ", "), len(r.Timeline(view.Query{}).To)))
	return nil
}

// script returns how testscript runs scripts here: demo.mallard is a recording, contexts.mallard and app.mallard are
// one with contexts, transactions.mallard has named ones, objects.mallard, leak.mallard, odd.mallard,
// references.mallard and tagged.mallard have what was in the heap, app.jar is a jar, build/classes a folder, "recording
// FILE TEXT" makes another, "shorten FILE N" takes N bytes off its end, and "newer FILE" has its header say that it has
// the next version of the format.
// What the examples of diff compare are copies of demo.mallard.
func script() testscript.Params {
	return testscript.Params{
		RequireExplicitExec: true,
		UpdateScripts:       *update,
		Setup: func(env *testscript.Env) error {
			env.Setenv("TZ", "UTC")
			for name, text := range map[string]string{
				"demo.mallard": profiletest.Demo, "contexts.mallard": profiletest.Contexts,
				"transactions.mallard": profiletest.Transactions, "app.mallard": profiletest.Contexts,
				"before.mallard": profiletest.Demo, "after.mallard": profiletest.Demo,
				"a1.mallard": profiletest.Demo, "a2.mallard": profiletest.Demo, "a3.mallard": profiletest.Demo,
				"b1.mallard": profiletest.Demo, "b2.mallard": profiletest.Demo, "b3.mallard": profiletest.Demo,
			} {
				if err := writeRecording(env.WorkDir+"/"+name, text); err != nil {
					return err
				}
			}
			for _, err := range []error{
				writeHeap(env.WorkDir+"/objects.mallard", heaptest.Demo(), heaptest.DemoSites()...),
				writeHeap(env.WorkDir+"/copies.mallard", heaptest.Demo(),
					append(heaptest.DemoSites(), heaptest.Copies()...)...),
				writeHeap(env.WorkDir+"/chosen.mallard", heaptest.Demo(),
					append(heaptest.DemoSites(), heaptest.CopiesIn("Main.run,Main.name")...)...),
				writeHeap(env.WorkDir+"/values.mallard", heaptest.Demo(),
					append(heaptest.DemoSites(), append(heaptest.CopiesWithValues(), sampledPoints(true)...)...)...),
				writeHeap(env.WorkDir+"/samples.mallard", heaptest.Demo(), sampledPoints(false)...),
				writeHeap(env.WorkDir+"/leak.mallard", heaptest.Leak()),
				writeHeap(env.WorkDir+"/singly.mallard", heaptest.Singly()),
				writeHeap(env.WorkDir+"/doubtful.mallard", heaptest.Doubtful()),
				writeHeap(env.WorkDir+"/unplaced.mallard", heaptest.Unplaced()),
				writeHeap(env.WorkDir+"/odd.mallard", heaptest.Odd()),
				writeHeap(env.WorkDir+"/references.mallard", heaptest.References()),
				writeHeap(env.WorkDir+"/tagged.mallard", heaptest.Tagged(), heaptest.TaggedSites()...),
				writeHeap(env.WorkDir+"/loaded.mallard", heaptest.Loaded(), heaptest.Loaders()...),
			} {
				if err != nil {
					return err
				}
			}
			if err := os.WriteFile(env.WorkDir+"/budgets.txt", []byte("max 1 MB under demo.App\n"), 0o666); err != nil {
				return err
			}
			if err := os.MkdirAll(env.WorkDir+"/build/classes", 0o777); err != nil {
				return err
			}
			return writeJar(env.WorkDir + "/app.jar")
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"recording": func(ts *testscript.TestScript, _ bool, args []string) {
				ts.Check(writeRecording(ts.MkAbs(args[0]), ts.ReadFile(args[1])))
			},
			"newer": func(ts *testscript.TestScript, _ bool, args []string) {
				file := ts.MkAbs(args[0])
				b, err := os.ReadFile(file)
				ts.Check(err)
				binary.LittleEndian.PutUint16(b[8:], trace.Version+1)
				binary.LittleEndian.PutUint32(b[12:], crc32.Checksum(b[:12], crc32.MakeTable(crc32.Castagnoli)))
				ts.Check(os.WriteFile(file, b, 0o666))
			},
			"shorten": func(ts *testscript.TestScript, _ bool, args []string) {
				file := ts.MkAbs(args[0])
				info, err := os.Stat(file)
				ts.Check(err)
				less, err := strconv.ParseInt(args[1], 10, 64)
				ts.Check(err)
				ts.Check(os.Truncate(file, info.Size()-less))
			},
		},
	}
}

func writeRecording(file, text string) error {
	recording, err := profiletest.Encode(text)
	if err != nil {
		return err
	}
	return os.WriteFile(file, recording, 0o666)
}

func writeHeap(file string, events *heaptest.Events, others ...trace.Record) error {
	recording, err := heaptest.Recording(events, others...)
	if err != nil {
		return err
	}
	return os.WriteFile(file, recording, 0o666)
}

// writeJar makes a jar with a class that is none.
func writeJar(file string) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	defer f.Close()
	jar := zip.NewWriter(f)
	if _, err := jar.Create("demo/Broken.class"); err != nil {
		return err
	}
	return jar.Close()
}

func TestScripts(t *testing.T) {
	params := script()
	params.Dir = filepath.Join("testdata", "script")
	testscript.Run(t, params)
	if *update {
		t.Error("scripts were rewritten")
	}
}

// sampledPoints are samples of which three pairs are copies, with contents or without.
func sampledPoints(values bool) (records []trace.Record) {
	s := replica.NewSamples()
	s.AddStack(1, &replica.SampledStack{Class: "Ldemo/Point;",
		Frames: []replica.SampledFrame{{Class: "demo/Main", Method: "at", Descriptor: "()V", Line: 6}}})
	s.AddStack(2, &replica.SampledStack{Frames: []replica.SampledFrame{{Class: "demo/Main", Method: "draw"}}})
	for hash := range uint64(3) {
		s.AddSampled(1, 24, 100)
		s.AddPair(1, 2, abi.PairEqual|abi.PairKnown|abi.PairCopies, 10)
		if values {
			s.AddValue(1, hash/2, replica.Value("o\x0ademo/Pointf\x01xI"+string(rune('a'+hash/2))+"\x00\x00\x00e"))
		}
	}
	for _, record := range s.Records(1) {
		records = append(records, record)
	}
	return records
}

// TestExamples runs the examples of every command's help.
func TestExamples(t *testing.T) {
	dir := t.TempDir()
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(server.Close) // when the scripts have run
	p := &program{Environment: Environment{Operations: fakeOperations}}
	for _, cmd := range append(p.rootCommand().Commands(), p.rootCommand()) {
		var lines []string
		for line := range strings.Lines(cmd.Example) {
			command := strings.TrimSpace(line)
			if !strings.HasPrefix(command, "mallard ") {
				t.Errorf("%s: the example %q does not call mallard", cmd.Name(), command)
			}
			command = strings.NewReplacer("http://127.0.0.1:4040", server.URL, ":9464", ":0").Replace(command)
			lines = append(lines, "exec "+command)
		}
		if len(lines) == 0 {
			if cmd.Runnable() && !cmd.Hidden {
				t.Errorf("%s has no examples", cmd.Name())
			}
			continue
		}
		text := "rm app.pb.gz app.txt\n" + strings.Join(lines, "\n") + "\n"
		if err := os.WriteFile(filepath.Join(dir, cmd.Name()+".txtar"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	params := script()
	params.Dir = dir
	testscript.Run(t, params)
}

// TestHelp holds every command to what help texts must have.
func TestHelp(t *testing.T) {
	p := &program{Environment: Environment{Operations: fakeOperations}}
	for _, cmd := range p.rootCommand().Commands() {
		if cmd.Short == "" || strings.HasSuffix(cmd.Short, ".") {
			t.Errorf("%s: Short is a line without a full stop, not %q", cmd.Name(), cmd.Short)
		}
		if !cmd.Hidden && cmd.Long == "" {
			t.Errorf("%s has no Long help", cmd.Name())
		}
		for line := range strings.Lines(cmd.Long) {
			if utf8.RuneCountInString(strings.TrimSuffix(line, "\n")) > 88 {
				t.Errorf("%s: line %q is too wide for a terminal", cmd.Name(), line)
			}
		}
	}
}

// TestReference compares docs/cli.md with what the commands say.
func TestReference(t *testing.T) {
	var page strings.Builder
	if code := Main(context.Background(), []string{"manual"},
		Environment{Stdout: &page, Stderr: os.Stderr}); code != 0 {
		t.Fatalf("exit code %d", code)
	}
	file := filepath.Join("..", "..", "docs", "cli.md")
	have, _ := os.ReadFile(file)
	if string(have) == page.String() {
		return
	}
	if !*update {
		t.Fatalf("%s is not what the commands say; go test ./internal/cli -update rewrites it", file)
	}
	if err := os.WriteFile(file, []byte(page.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Errorf("%s was rewritten", file)
}

// TestCompletion asks for completions as shells do.
func TestCompletion(t *testing.T) {
	for _, test := range []struct {
		args []string
		want []string
	}{
		{[]string{"re"}, []string{"report", "replicas"}},
		{[]string{"report", "--by", ""}, []string{"site", "class", "method", "thread", "context", "element",
			"transaction", "caller", "program", "waste"}},
		{[]string{"report", "--format", ""}, []string{"text", "json", "csv", "tree"}},
		{[]string{"report", ""}, []string{"mallard"}},
		{[]string{"export", "x.mallard", "--format", ""}, []string{"pprof", "collapsed", "html", "json",
			"parquet", "jfr"}},
		{[]string{"heap", "x.mallard", "--format", ""}, []string{"text", "json", "csv", "pprof", "html"}},
		{[]string{"run", "--placement", ""}, []string{"optimal", "ducktracks", "site"}},
		{[]string{"run", "--track", ""}, registry.New().Trackable()},
		{[]string{"completion", "z"}, []string{"zsh"}},
		{[]string{"heap", "--by", "class,"}, []string{"class,class", "class,space", "class,generation", "class,age",
			"class,site", "class,context", "class,loader", "class,thread"}},
		{[]string{"help", ""}, []string{"run", "attach", "detach", "report", "top", "view", "diff", "merge", "export",
			"push", "heap", "source", "check", "replicas", "info", "decode", "dump", "instrument", "agentpath",
			"apijar", "version", "completion", "formats", "tracks", "jvms", "transactions", "waste", "help"}},
	} {
		var out strings.Builder
		args := append([]string{cobra.ShellCompNoDescRequestCmd}, test.args...)
		if code := Main(context.Background(), args, Environment{Stdout: &out, Stderr: &strings.Builder{}}); code != 0 {
			t.Fatalf("%q: exit code %d", test.args, code)
		}
		words := strings.Fields(out.String())
		if got := words[:len(words)-1]; strings.Join(got, " ") != strings.Join(test.want, " ") {
			t.Errorf("%q is completed by %q, want %q", test.args, got, test.want)
		}
	}
}
