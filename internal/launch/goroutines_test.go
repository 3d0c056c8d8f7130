package launch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mallard/internal/abi"
	"mallard/internal/jvmtest"
)

// A starter is a function of the recorder's that starts goroutines.
type starter struct {
	starts int
	faults []string // points in the goroutines at which TestFaults breaks them
	why    string   // there are none
}

// starters are all of them, by file and function.
var starters = map[string]starter{
	"launch/recordings.go listen":    {1, []string{"accept"}, ""},
	"launch/run.go runCommand":       {1, []string{"signals"}, ""},
	"launch/recordings.go accepted":  {1, []string{"agent"}, ""},
	"session/run.go Run":             {6, []string{"thread", "messages", "events", "adaptation"}, ""},
	"recording/recording.go New":     {1, []string{"encode", "flush", "conclude"}, ""},
	"classes/cache.go OpenCache":     {1, nil, "each class that it keeps is guarded, and the end"},
	"trace/ahead.go Ahead":           {1, nil, "no recorder's; what it panics with it hands to who reads"},
	"trace/compress.go start":        {1, nil, "what it cannot compress it leaves as it is"},
	"transport/events/reader.go Run": {1, nil, "one system call"},
}

// unreached are messages that Faulty does not bring about. All go through the same function, which TestFaults breaks
// for the others.
var unreached = map[abi.Type]string{
	abi.OK: "an answer", abi.Refuse: "an answer", abi.Hello: "agent",
	abi.Retransformed: "of the control channel: adaptation", abi.CallbackClass: "of the control channel: callback",
	abi.NextSnapshot: "of the control channel: callback",
	abi.Transaction:  "transactions", abi.Mirror: "transactions",
	abi.Budget:  "a test with a budget",
	abi.Watched: "a debugger", abi.Unanswered: "a slow recorder", abi.ClassMissed: "a slow recorder",
	abi.LoadedClasses: "TestFaultsOfAttached",
	abi.Loss:          "what the agent cannot do", abi.ClassCached: "the class cache",
	abi.CountersMade: "the class cache",
}

// faultPoints are where TestFaults has to break things: in each goroutine, in each handler of a message, and in what
// the counting goroutine is asked for.
func faultPoints() []string {
	points := []string{"snapshot", "death", "unload", "decide", "await", "tree"}
	for _, s := range starters {
		points = append(points, s.faults...)
	}
	for _, m := range abi.Messages {
		if unreached[m.Type] == "" {
			points = append(points, m.Name)
		}
	}
	slices.Sort(points)
	return slices.Compact(points)
}

// recorderFiles calls a function with each file of the recorder's, by its name below internal.
func recorderFiles(t *testing.T, look func(name string, file *ast.File)) {
	t.Helper()
	internal := filepath.Join(jvmtest.MustRoot(t), "internal")
	for _, name := range []string{"launch", "session", "recording", "classes", "counters", "observe", "transport",
		"calltree", "callenc", "classcache", "classdef", "adapt", "frequency", "instrument", "placement", "trace",
		"payload", "shim", "jvm"} {
		err := filepath.WalkDir(filepath.Join(internal, name), func(path string, d fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err == nil {
				below, _ := filepath.Rel(internal, path) // it is
				look(filepath.ToSlash(below), file)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// called is the name behind the point of a call; "" of others.
func called(n ast.Node) string {
	if call, ok := n.(*ast.CallExpr); ok {
		if s, ok := call.Fun.(*ast.SelectorExpr); ok {
			return s.Sel.Name
		}
	}
	return ""
}

// TestGoroutinesHaveFaultPoints finds all goroutines of the recorder: each is broken in TestFaults, or the table says
// why not.
func TestGoroutinesHaveFaultPoints(t *testing.T) {
	found := map[string]int{}
	recorderFiles(t, func(name string, file *ast.File) {
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			ast.Inspect(f, func(n ast.Node) bool {
				if _, ok := n.(*ast.GoStmt); ok || called(n) == "Go" || called(n) == "AfterFunc" {
					found[name+" "+f.Name.Name]++
				}
				return true
			})
		}
	})
	want := map[string]int{}
	for name, s := range starters {
		want[name] = s.starts
	}
	if !maps.Equal(found, want) {
		t.Errorf("goroutines start in %v, want %v", found, want)
	}
}

// TestLocksAreGivenBack wants each lock to be given back by a deferred call, so that a panic under it hangs nobody.
func TestLocksAreGivenBack(t *testing.T) {
	recorderFiles(t, func(name string, file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			block, ok := n.(*ast.BlockStmt)
			if !ok {
				return true
			}
			for i, s := range block.List {
				e, ok := s.(*ast.ExprStmt)
				if !ok || called(e.X) != "Lock" && called(e.X) != "RLock" {
					continue
				}
				if i+1 < len(block.List) {
					if d, ok := block.List[i+1].(*ast.DeferStmt); ok && strings.HasSuffix(called(d.Call), "Unlock") {
						continue
					}
				}
				t.Errorf("%s: a lock is taken, and its end is not deferred", name)
			}
			return true
		})
	})
}
