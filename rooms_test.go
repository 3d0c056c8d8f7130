package mallard_test

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A reference is a pair of files: what the first uses, the second declares.
type reference struct{ from, to string }

// TestCycles holds the files of each package, tests aside, to an order, as TestImports does the packages: no file needs
// another that leads back to it.
func TestCycles(t *testing.T) {
	packages, exports := listPackages(t)
	files := token.NewFileSet()
	imports := importer.ForCompiler(files, "gc", func(path string) (io.ReadCloser, error) {
		if exports[path] == "" {
			return nil, fmt.Errorf("no export data of %s", path)
		}
		return os.Open(exports[path])
	})
	for _, p := range packages {
		references := fileReferences(t, p, files, imports)
		for _, r := range onCycles(references) {
			t.Errorf("%s: %s needs %s for %s, which leads back to it", p.name, r.from, r.to,
				strings.Join(references[r], ", "))
		}
	}
}

// listedPackage is a package of the repository, tests aside.
type listedPackage struct {
	name, folder string // name without the module's
	files        []string
}

// listPackages asks the go command for the packages of the repository, and for the export data of all that they
// import.
func listPackages(t *testing.T) (own []listedPackage, exports map[string]string) {
	t.Helper()
	command := exec.Command("go", "list", "-export", "-deps", "-f",
		`{{.ImportPath}}	{{.Export}}	{{.Dir}}	{{join .GoFiles " "}}`, "./...")
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	exports = map[string]string{}
	for line := range strings.Lines(string(out)) {
		field := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		exports[field[0]] = field[1]
		if name, isOwn := strings.CutPrefix(field[0], "mallard/"); isOwn {
			own = append(own, listedPackage{name, field[2], strings.Fields(field[3])})
		}
	}
	return own, exports
}

// fileReferences gives the references between the files of a package, each with the names of what is used.
func fileReferences(t *testing.T, p listedPackage, files *token.FileSet,
	imports types.Importer) map[reference][]string {
	t.Helper()
	var parsed []*ast.File
	for _, name := range p.files {
		file, err := parser.ParseFile(files, filepath.Join(p.folder, name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, file)
	}
	checker := types.Config{Importer: imports}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	checked, err := checker.Check(p.name, files, parsed, info)
	if err != nil {
		t.Fatal(err)
	}
	references := map[reference][]string{}
	for use, object := range info.Uses {
		if object.Pkg() != checked || !object.Pos().IsValid() {
			continue
		}
		r := reference{filepath.Base(files.Position(use.Pos()).Filename),
			filepath.Base(files.Position(object.Pos()).Filename)}
		if r.from != r.to && !slices.Contains(references[r], object.Name()) {
			references[r] = append(references[r], object.Name())
		}
	}
	for _, names := range references {
		slices.Sort(names)
	}
	return references
}

// onCycles lists the references whose second file leads back to the first.
func onCycles(references map[reference][]string) []reference {
	needs := map[string][]string{}
	for r := range references {
		needs[r.from] = append(needs[r.from], r.to)
	}
	var cyclic []reference
	for r := range references {
		if leadsTo(needs, r.to, r.from, map[string]bool{}) {
			cyclic = append(cyclic, r)
		}
	}
	slices.SortFunc(cyclic, func(a, b reference) int { return strings.Compare(a.from+" "+a.to, b.from+" "+b.to) })
	return cyclic
}

// leadsTo reports whether a file needs another, by way of files that were not seen yet.
func leadsTo(needs map[string][]string, from, to string, seen map[string]bool) bool {
	if from == to {
		return true
	}
	seen[from] = true
	return slices.ContainsFunc(needs[from], func(next string) bool {
		return !seen[next] && leadsTo(needs, next, to, seen)
	})
}
