package trace

import (
	"encoding/hex"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const formatFile = "../../docs/format.md"

var recordFiles = []string{"records.go", "context_records.go", "event_records.go", "index_records.go",
	"merge_records.go"}

// TestFormat keeps the generated parts of docs/format.md in step with layouts,
// and takes the words from the comments in recordFiles.
func TestFormat(t *testing.T) {
	doc, err := os.ReadFile(formatFile)
	if err != nil {
		t.Fatal(err)
	}
	doc = replacePart(t, doc, "tables", formatTables(t))
	doc = replacePart(t, doc, "example", formatExample(t))
	golden(t, formatFile, doc)
}

// replacePart replaces what stands between two marks of doc.
func replacePart(t *testing.T, doc []byte, mark, text string) []byte {
	start, end := "<!-- "+mark+" -->\n", "<!-- end of "+mark+" -->\n"
	before, rest, found := strings.Cut(string(doc), start)
	_, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatalf("%s has no place for the %s", formatFile, mark)
	}
	return []byte(before + start + text + end + after)
}

// formatExample gives a small file as text and as bytes.
func formatExample(t *testing.T) string {
	records := []Record{
		&Thread{ID: 1, Name: "main", JavaID: 1},
		&Snapshot{Nanos: 1000, Thread: 1, Values: []CounterValue{{7, 2}, {9, 100}}},
		&Mark{Nanos: 1001},
	}
	return fmt.Sprintf("```\n%s```\n\n```\n%s```\n", textOf(records), hex.Dump(encode(t, 3, records...)))
}

// TestFormatRows decodes the bytes that docs/format.md explains.
func TestFormatRows(t *testing.T) {
	doc, err := os.ReadFile(formatFile)
	if err != nil {
		t.Fatal(err)
	}
	_, example, _ := strings.Cut(string(doc), "```\n02   ")
	example, _, _ = strings.Cut("02   "+example, "```")
	var payload []byte
	for line := range strings.Lines(example) {
		for word := range strings.FieldsSeq(line) {
			b, err := strconv.ParseUint(word, 16, 8)
			if err != nil || len(word) != 2 {
				break // the explanation begins
			}
			payload = append(payload, byte(b))
		}
	}
	want := []MethodDef{
		{Name: "main", Descriptor: "()V", Sites: []SiteDef{{BCI: 0, Line: 5, Type: "demo/Point"},
			{BCI: 12, Line: 6, Type: "demo/Point"}}},
		{Name: "run", Descriptor: "()V", Sites: []SiteDef{{BCI: 4, Line: 17, Type: "demo/Point"}}},
	}
	methods := newTable(rows("Methods", methodDefTable, func(r *ClassDef) *[]MethodDef { return &r.Methods }))
	d := decoder{payload: payload}
	def := make([]ClassDef, 1)
	methods.decode(&d, def)
	if diff := cmp.Diff(want, def[0].Methods); diff != "" || d.err != nil || len(d.left()) > 0 {
		t.Errorf("error %v, %d bytes left, -want +got:\n%s", d.err, len(d.left()), diff)
	}
}

// formatTables gives each kind of record, and each kind of row after the
// first record that has it, a section with a table of its fields.
func formatTables(t *testing.T) string {
	words := comments(t)
	var b strings.Builder
	done := make(map[string]bool)
	for k, l := range layouts {
		if l == nil {
			continue
		}
		for i, s := range l.schemas() {
			name := s.row.Name()
			if done[name] {
				continue
			}
			done[name] = true
			if i == 0 {
				fmt.Fprintf(&b, "\n### %d %s\n", k, name)
			} else {
				fmt.Fprintf(&b, "\n#### Rows of %s\n", name)
			}
			fmt.Fprintf(&b, "\n%s\n\n| field | type | |\n|---|---|---|\n", words[name])
			for _, f := range s.fields {
				fmt.Fprintf(&b, "| %s | %s | %s |\n", f.name, f.typeName, words[name+"."+f.name])
			}
		}
	}
	b.WriteByte('\n')
	return b.String()
}

// comments returns the comments of the types and fields in recordFiles, by
// Type and Type.Field.
func comments(t *testing.T) map[string]string {
	var decls []ast.Decl
	for _, name := range recordFiles {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		decls = append(decls, file.Decls...)
	}
	words := make(map[string]string)
	for _, decl := range decls {
		decl, ok := decl.(*ast.GenDecl)
		if !ok || decl.Tok != token.TYPE {
			continue
		}
		for _, spec := range decl.Specs {
			spec := spec.(*ast.TypeSpec)
			words[spec.Name.Name] = strings.TrimSpace(decl.Doc.Text())
			structType, ok := spec.Type.(*ast.StructType)
			if !ok {
				continue
			}
			for _, field := range structType.Fields.List {
				text := strings.Join(strings.Fields(field.Doc.Text()+" "+field.Comment.Text()), " ")
				for _, name := range field.Names {
					words[spec.Name.Name+"."+name.Name] = text
				}
			}
		}
	}
	return words
}
