package bytecode

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"mallard/internal/classfile"
)

var update = flag.Bool("update", false, "write golden files anew; the test still fails")

// A rewriteCase is a file under testdata/rewrite, in txtar form. The comment
// describes it; then there are
//
//	-- version --      major version of the class, without the section 61
//	-- body --         a listing of static int run(int)
//	-- prologue --     instructions, the last of which stores a long; may be missing
//	-- insertions --   lines: always AT, fall-through AT, taken AT from I J; then ": mnemonic" for each instruction
//	-- rewritten --    the new body, or "error: ..."
type rewriteCase struct {
	path       string
	archive    *txtar.Archive
	version    uint16
	pool       *classfile.Pool
	body       *Code
	prologue   Prologue
	insertions []Insertion
}

func (c *rewriteCase) name() string {
	return strings.TrimSuffix(filepath.Base(c.path), ".txt")
}

func (c *rewriteCase) section(name string) string {
	for _, f := range c.archive.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return ""
}

// rewriteCases reads testdata/rewrite.
func rewriteCases(t testing.TB) []*rewriteCase {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata", "rewrite", "*.txt"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	var cases []*rewriteCase
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		c := &rewriteCase{path: path, archive: archive, version: 61, pool: namesPool()}
		if v := strings.TrimSpace(c.section("version")); v != "" {
			n, err := strconv.Atoi(v)
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			c.version = uint16(n)
		}
		if c.body, err = assemble(expandRepeats(c.section("body")), c.pool); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if c.body, err = c.reload(c.body); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if c.insertions, err = c.parseInsertions(c.section("insertions")); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if code := c.section("prologue"); code != "" {
			prologue, err := assemble(strings.ReplaceAll(code, ",", "\n"), c.pool)
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			c.prologue = Prologue{Code: prologue.Insns, Stack: 2, Local: VerificationType{Tag: Long},
				Entry: []VerificationType{{Tag: Integer}}}
		}
		cases = append(cases, c)
	}
	return cases
}

// reload encodes and decodes a body, which gives it offsets.
func (c *rewriteCase) reload(code *Code) (*Code, error) {
	encoded, err := code.Encode()
	if err != nil {
		return nil, err
	}
	decoded, err := Decode(encoded, c.pool)
	if err != nil {
		return nil, err
	}
	decoded.Version = c.version
	return decoded, nil
}

// expandRepeats replaces lines "repeat N LINE" by N times LINE.
func expandRepeats(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		n := 1
		if words := strings.Fields(line); len(words) > 2 && words[0] == "repeat" {
			n, _ = strconv.Atoi(words[1])
			line = "\t" + strings.Join(words[2:], " ") + "\n"
		}
		b.WriteString(strings.Repeat(line, n))
	}
	return b.String()
}

// foldRepeats replaces more than eight equal instructions in a row by one line.
func foldRepeats(text string) string {
	_, instruction := "", func(line string) string {
		_, in, _ := strings.Cut(line, "\t")
		return in
	}
	lines := strings.SplitAfter(text, "\n")
	var b strings.Builder
	for i := 0; i < len(lines); {
		n := 1
		for i+n < len(lines) && instruction(lines[i]) != "" && instruction(lines[i+n]) == instruction(lines[i]) {
			n++
		}
		if n > 8 {
			fmt.Fprintf(&b, "%srepeated %d times\n", lines[i], n)
		} else {
			b.WriteString(strings.Join(lines[i:i+n], ""))
		}
		i += n
	}
	return b.String()
}

func (c *rewriteCase) parseInsertions(text string) ([]Insertion, error) {
	if strings.TrimSpace(text) == "everywhere" {
		return append(nopOnEdges(c.body), nopBeforeAll(c.body)...), nil
	}
	var all []Insertion
	for line := range strings.Lines(text) {
		position, code, ok := strings.Cut(strings.TrimSpace(line), ":")
		words := strings.Fields(position)
		if !ok || len(words) < 2 {
			return nil, fmt.Errorf("insertion %q", line)
		}
		var ins Insertion
		for w, name := range positionNames {
			if name == words[0] {
				ins.Position = Position(w)
			}
		}
		ins.At, _ = strconv.Atoi(words[1])
		for _, from := range words[min(3, len(words)):] {
			i, err := strconv.Atoi(from)
			if err != nil {
				return nil, err
			}
			ins.From = append(ins.From, i)
		}
		inserted, err := assemble(strings.ReplaceAll(code, ",", "\n"), c.pool)
		if err != nil {
			return nil, err
		}
		ins.Code, ins.Stack = inserted.Insns, 2
		all = append(all, ins)
	}
	return all, nil
}

func (c *rewriteCase) rewrite() (*Rewritten, error) {
	return c.body.RewriteEntering(c.insertions, Catching{}, c.prologue)
}

// result describes the outcome of the rewrite as the golden file has it.
func (c *rewriteCase) result() string {
	r, err := c.rewrite()
	if err != nil {
		return "error: " + err.Error() + "\n"
	}
	var b strings.Builder
	b.WriteString(foldRepeats(r.Body.Text(c.pool)))
	if len(c.insertions) < 10 {
		for k := range c.insertions {
			start, end := r.InsertionPC(k)
			fmt.Fprintf(&b, "insertion %d at %d..%d\n", k, start, end)
		}
	}
	return b.String()
}

// TestRewriteGolden compares rewritten bodies with the golden files.
func TestRewriteGolden(t *testing.T) {
	for _, c := range rewriteCases(t) {
		t.Run(c.name(), func(t *testing.T) {
			body := *c.body
			body.Version, body.Variables = 0, nil // some lack frames, or have variables in strange places
			if err := body.Check(c.pool); err != nil {
				t.Error(err)
			}
			got := c.result()
			diff := cmp.Diff(c.section("rewritten"), got)
			if diff == "" {
				return
			}
			t.Errorf("rewritten body differs (-want +got):\n%s", diff)
			if !*update {
				return
			}
			files := c.archive.Files[:0]
			for _, f := range c.archive.Files {
				if f.Name != "rewritten" {
					files = append(files, f)
				}
			}
			c.archive.Files = append(files, txtar.File{Name: "rewritten", Data: []byte(got)})
			if err := os.WriteFile(c.path, txtar.Format(c.archive), 0o644); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// TestTextIsComplete assembles the listing of each body again.
func TestTextIsComplete(t *testing.T) {
	for _, c := range rewriteCases(t) {
		text := c.body.Text(c.pool)
		again, err := assemble(text, c.pool)
		if err != nil {
			t.Errorf("%s: %v", c.path, err)
			continue
		}
		if diff := cmp.Diff(text, again.Text(c.pool)); diff != "" {
			t.Errorf("%s: %s", c.path, diff)
		}
	}
}
