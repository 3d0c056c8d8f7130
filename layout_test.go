// Package mallard_test holds the repository to the layout that ARCHITECTURE.md describes.
package mallard_test

import (
	"go/build"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// imports is what each package may import of the others, tests aside. A package that is not named may not exist.
var imports = map[string][]string{
	"internal/classfile":              {},
	"internal/bytecode":               {"internal/classfile"},
	"internal/cfg":                    {"internal/bytecode", "internal/classfile"},
	"internal/placement":              {"internal/cfg"},
	"internal/frequency":              {"internal/placement", "internal/cfg"},
	"internal/instrument/allocations": {"internal/bytecode", "internal/classfile"},
	"internal/instrument/emit": {"internal/instrument/allocations", "internal/abi", "internal/bytecode",
		"internal/classfile"},
	"internal/instrument": {"internal/abi", "internal/instrument/allocations", "internal/instrument/emit",
		"internal/placement", "internal/cfg", "internal/bytecode", "internal/classfile"},
	"internal/transactions": {"internal/classfile", "internal/instrument", "internal/profile"},
	"internal/classcache":   {"internal/abi", "internal/calltree", "internal/instrument"},

	"internal/callenc": {},

	"internal/adapt": {"internal/instrument", "internal/frequency", "internal/placement", "internal/cfg"},

	"internal/trace":       {"internal/abi"},
	"internal/classdef":    {"internal/instrument", "internal/trace"},
	"internal/symbols":     {"internal/trace"},
	"internal/classpath":   {},
	"internal/profile":     {"internal/abi", "internal/classpath", "internal/symbols", "internal/trace"},
	"internal/heap/single": {"internal/abi"},
	"internal/heap": {"internal/abi", "internal/heap/single", "internal/profile", "internal/symbols",
		"internal/trace"},
	"internal/heapgraph": {"internal/abi", "internal/heap", "internal/profile", "internal/trace"},
	"internal/replica":   {"internal/abi", "internal/heap", "internal/profile", "internal/symbols", "internal/trace"},
	"internal/diff":      {"internal/profile", "internal/symbols"},
	"internal/merge":     {"internal/profile", "internal/symbols", "internal/trace"},
	"internal/jfr":       {},
	"internal/waste":     {"internal/profile", "internal/symbols"},
	"internal/budget":    {"internal/profile", "internal/waste"},
	"internal/export": {"internal/budget", "internal/diff", "internal/heap", "internal/heap/single",
		"internal/heapgraph", "internal/jfr",
		"internal/replica", "internal/waste", "internal/profile", "internal/symbols",
		"internal/trace"},

	"internal/top":     {"internal/export", "internal/heap", "internal/profile", "internal/trace"},
	"internal/follow":  {"internal/profile", "internal/trace"},
	"internal/metrics": {"internal/profile"},
	"internal/push":    {"internal/export", "internal/profile"},
	"internal/view":    {"internal/export", "internal/profile", "internal/symbols"},

	"internal/abi":              {},
	"internal/abi/gen":          {"internal/abi"},
	"internal/transport":        {"internal/abi"},
	"internal/transport/events": {"internal/abi"},
	"internal/jvm":              {},
	"internal/payload":          {},
	"internal/shim":             {"internal/jvm", "internal/payload"},
	"internal/calltree":         {"internal/abi"},
	"internal/counters":         {"internal/recording", "internal/trace", "internal/abi", "internal/transport"},
	"internal/classes": {"internal/counters", "internal/recording", "internal/trace", "internal/abi",
		"internal/transport", "internal/adapt", "internal/calltree", "internal/instrument",
		"internal/instrument/allocations", "internal/classcache", "internal/classdef", "internal/placement",
		"internal/payload"},
	"internal/observe": {"internal/classes", "internal/counters", "internal/recording", "internal/trace",
		"internal/abi", "internal/transport", "internal/transport/events", "internal/calltree", "internal/instrument",
		"internal/profile"},
	"internal/observe/sites": {"internal/observe"},
	"internal/observe/contexts": {"internal/observe", "internal/classes", "internal/counters", "internal/recording",
		"internal/trace", "internal/abi", "internal/transport", "internal/callenc", "internal/calltree",
		"internal/classfile", "internal/instrument", "internal/jvm", "internal/transactions", "internal/budget",
		"internal/profile"},
	"internal/observe/collections": {"internal/observe", "internal/profile", "internal/trace", "internal/abi",
		"internal/transport/events"},
	"internal/observe/constructors": {"internal/observe", "internal/observe/contexts", "internal/instrument",
		"internal/trace"},
	"internal/observe/bytecodes": {"internal/observe", "internal/instrument", "internal/trace"},
	"internal/observe/natives":   {"internal/observe", "internal/abi", "internal/transport"},
	"internal/observe/objects": {"internal/observe", "internal/abi", "internal/classes", "internal/counters",
		"internal/heap", "internal/heap/single", "internal/instrument", "internal/recording", "internal/trace",
		"internal/transport", "internal/transport/events"},
	"internal/observe/replicas": {"internal/observe", "internal/observe/objects", "internal/observe/sites",
		"internal/abi", "internal/counters", "internal/heap", "internal/instrument", "internal/profile",
		"internal/recording", "internal/replica",
		"internal/symbols", "internal/trace", "internal/transport", "internal/transport/events"},
	"internal/observe/snapshots": {"internal/observe", "internal/observe/bytecodes", "internal/instrument",
		"internal/profile", "internal/trace", "internal/abi", "internal/transport"},
	"internal/observe/registry": {"internal/observe", "internal/observe/sites", "internal/observe/collections",
		"internal/observe/contexts", "internal/observe/constructors", "internal/observe/bytecodes",
		"internal/observe/natives", "internal/observe/objects", "internal/observe/replicas",
		"internal/observe/snapshots"},
	"internal/session": {"internal/classes", "internal/counters", "internal/observe", "internal/recording",
		"internal/trace", "internal/abi", "internal/transport", "internal/transport/events", "internal/instrument",
		"internal/jvm", "internal/payload", "internal/placement", "internal/profile"},
	"internal/recording": {"internal/trace", "internal/profile"},
	"internal/launch": {"internal/session", "internal/observe", "internal/observe/registry",
		"internal/jvm", "internal/payload", "internal/placement", "internal/abi", "internal/shim",
		"internal/transport"},
	"internal/portable": {"internal/classdef", "internal/classfile", "internal/instrument",
		"internal/payload", "internal/placement", "internal/trace"},
	"internal/cli": {"internal/observe", "internal/observe/collections", "internal/observe/contexts",
		"internal/observe/registry",
		"internal/observe/snapshots",
		"internal/jvm", "internal/launch", "internal/session", "internal/portable", "internal/placement",
		"internal/trace", "internal/diff", "internal/merge", "internal/follow", "internal/metrics", "internal/push",
		"internal/classpath", "internal/heap", "internal/heapgraph", "internal/replica",
		"internal/profile", "internal/symbols", "internal/budget", "internal/export", "internal/shim", "internal/top",
		"internal/view", "internal/waste"},
	"cmd/mallard": {"internal/cli", "internal/jvm", "internal/launch", "internal/payload", "internal/shim",
		"internal/view"},

	"internal/jvmtest":          {},
	"internal/classfile/corpus": {},
	"internal/mallardtest": {"internal/jvmtest", "internal/payload", "internal/portable", "internal/profile",
		"internal/trace"},
	"internal/profile/profiletest": {"internal/trace"},
	"internal/heap/heaptest":       {"internal/abi", "internal/trace"},
	"internal/export/pagetest":     {"internal/jvmtest"},
	"internal/profile/stacktest":   {"internal/profile", "internal/symbols", "internal/jvmtest"},
	"tests/truth":                  {}, // what these packages hold is tests
	"tests/classes":                {},
	"tests/contexts":               {},
	"tests/lifecycle":              {},
	"tests/objects":                {},
	"tests/replicas":               {},
	"tests/diff":                   {},
	"tests/compat":                 {},
	"tests/merge":                  {},
	"tests/portable":               {},
	"tests/torture":                {"internal/jvmtest", "internal/profile"},
	"tests/soak":                   {"internal/jvmtest"},

	"bench": {"internal/jvmtest", "internal/bytecode", "internal/classfile", "internal/cfg", "internal/placement",
		"internal/frequency", "internal/instrument", "internal/trace", "internal/launch", "internal/session",
		"internal/payload", "internal/abi", "internal/transport",
		"internal/transport/events", "internal/recording"},
}

func TestImports(t *testing.T) {
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if name := d.Name(); path != "." && (strings.HasPrefix(name, ".") || name == "testdata" || name == "build" ||
			name == "bin") {
			return filepath.SkipDir
		}
		p, err := build.ImportDir(path, 0)
		if _, none := err.(*build.NoGoError); none || path == "." {
			return nil
		}
		if err != nil {
			return err
		}
		allowed, known := imports[filepath.ToSlash(path)]
		if !known {
			t.Errorf("%s is not in the table", path)
		}
		for _, i := range p.Imports {
			if own, ok := strings.CutPrefix(i, "mallard/"); ok && !slices.Contains(allowed, own) {
				t.Errorf("%s imports %s", path, own)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
