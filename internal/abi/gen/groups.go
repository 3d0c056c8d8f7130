package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"unicode"
)

// A group is a declaration of constants with directives.
type group struct {
	title, unit, doc string
	to               []string // languages besides Go
	long             bool     // in Java
	constants        []shared
}

// A shared constant is an integer of at most 64 bits, with or without a sign.
type shared struct {
	name, doc string
	value     constant.Value
}

// sources are in the order of the documentation. Others, what observers share with the agent, come after them.
var sources = []string{
	"abi.go", "memory.go", "block.go", "node.go", "hash.go", "code.go", "fact.go", "message.go", "events.go",
	"classcache.go",
}

// folder is where package abi is.
func folder() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Dir(filepath.Dir(file))
}

// readGroups reads the source of package abi.
func readGroups() ([]group, error) {
	names, err := filepath.Glob(filepath.Join(folder(), "*.go"))
	if err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	files := make([]*ast.File, len(sources), len(names))
	for _, name := range names {
		i := slices.Index(sources, filepath.Base(name))
		switch {
		case strings.HasSuffix(name, "_test.go"):
			continue
		case i < 0:
			i, files = len(files), append(files, nil)
		}
		if files[i], err = parser.ParseFile(fset, name, nil, parser.ParseComments); err != nil {
			return nil, err
		}
	}
	info := types.Info{Defs: map[*ast.Ident]types.Object{}}
	check := types.Config{Importer: fmtOnly{}, Error: func(error) {}} // constants do without what is imported
	check.Check("abi", fset, files, &info)
	var groups []group
	for _, f := range files {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.CONST {
				g, err := readGroup(d, info.Defs)
				if err != nil {
					return nil, fmt.Errorf("%s: %w", fset.Position(d.Pos()), err)
				}
				if len(g.to) > 0 {
					groups = append(groups, g)
				}
			}
		}
	}
	return groups, nil
}

// fmtOnly imports nothing: no constant needs another package.
type fmtOnly struct{}

func (fmtOnly) Import(path string) (*types.Package, error) { return nil, fmt.Errorf("no %s", path) }

func readGroup(d *ast.GenDecl, defs map[*ast.Ident]types.Object) (group, error) {
	g := group{doc: d.Doc.Text()}
	for _, line := range directives(d.Doc) {
		name, text, _ := strings.Cut(line, " ")
		switch name {
		case "title":
			g.title = text
		case "unit":
			g.unit = text
		case "to":
			g.to = strings.Fields(text)
		case "long":
			g.long = true
		default:
			return g, fmt.Errorf("directive %q", name)
		}
	}
	for _, s := range d.Specs {
		s := s.(*ast.ValueSpec)
		for _, id := range s.Names {
			if id.Name == "_" {
				continue
			}
			c, ok := defs[id].(*types.Const)
			if !ok || c.Val().Kind() != constant.Int {
				return g, fmt.Errorf("%s is no integer", id.Name)
			}
			g.constants = append(g.constants, shared{id.Name, doc(s), c.Val()})
		}
	}
	return g, nil
}

// doc is the comment above a constant, or behind it.
func doc(s *ast.ValueSpec) string {
	return strings.Join(strings.Fields(s.Doc.Text()+" "+s.Comment.Text()), " ")
}

func directives(doc *ast.CommentGroup) (lines []string) {
	if doc == nil {
		return nil
	}
	for _, c := range doc.List {
		if text, ok := strings.CutPrefix(c.Text, "//abi:"); ok {
			lines = append(lines, text)
		}
	}
	return lines
}

// bits is the constant as 64 bits.
func (c *shared) bits() uint64 {
	if v, ok := constant.Uint64Val(c.value); ok {
		return v
	}
	v, _ := constant.Int64Val(c.value)
	return uint64(v)
}

// words splits a name of Go's: BlockBytes into Block and Bytes, VMName into VM and Name.
func words(name string) (words []string) {
	start := 0
	runes := []rune(name)
	for i := 1; i < len(runes); i++ {
		next := i+1 < len(runes) && unicode.IsLower(runes[i+1])
		if unicode.IsUpper(runes[i]) && (!unicode.IsUpper(runes[i-1]) || next) {
			words = append(words, string(runes[start:i]))
			start = i
		}
	}
	return append(words, string(runes[start:]))
}

// upper is a name as constants of C and Java have it.
func upper(name string) string { return strings.ToUpper(strings.Join(words(name), "_")) }

// lower is a name as C has those of types, functions and fields.
func lower(name string) string { return strings.ToLower(strings.Join(words(name), "_")) }
