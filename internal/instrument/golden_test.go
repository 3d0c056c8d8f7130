package instrument

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
	"mallard/internal/instrument/allocations"
	"mallard/internal/jvmtest"
)

var update = flag.Bool("update", false, "write golden files anew; the test still fails")

// TestGolden compares the listings of testdata/Positions.java's methods with those in Positions.txt: its sites, what
// its counters mean, and the new code, with what is owed where it is not zero. Placements that do the same share a
// listing. Contexts.java is the same for contexts.
func TestGolden(t *testing.T) {
	t.Run("positions", func(t *testing.T) { golden(t, "Positions", variants[:len(strategies)]) })
	t.Run("contexts", func(t *testing.T) { golden(t, "Contexts", variants[len(strategies):len(strategies)+3]) })
	t.Run("transactions", func(t *testing.T) { golden(t, "Transactions", variants[len(strategies):len(strategies)+3]) })
	t.Run("named", func(t *testing.T) {
		by := func(c *classfile.Class, m *classfile.Member) *Naming {
			switch name, _ := c.Pool.Utf8(m.Name); name {
			case "order":
				return &Naming{Name: "Named.order"}
			case "kind":
				return &Naming{Slot: 1, Type: "Ljava/lang/Object;", Calls: []string{"getKind"}}
			case "number":
				return &Naming{Slot: 2, Type: "I"}
			case "main":
				return &Naming{Name: "Named.main", Loops: true}
			}
			return nil
		}
		golden(t, "Named", []Options{{Contexts: Hashed, Transactions: by}})
	})
	t.Run("portable", func(t *testing.T) { golden(t, "Alone", []Options{portable}) })
	t.Run("tags", func(t *testing.T) {
		untagged := tagged[0]
		untagged.Untagged = map[uint32]bool{}
		for site := range uint32(32) {
			untagged.Untagged[site] = site%2 == 0
		}
		golden(t, "Tags", []Options{tagged[0], untagged})
	})
	t.Run("watched", func(t *testing.T) { golden(t, "Reads", watched[:1]) })
	t.Run("constructors", func(t *testing.T) { golden(t, "Constructors", variants[len(strategies)+3:]) })
}

func golden(t *testing.T, class string, variants []Options) {
	jdk := jvmtest.JDKs(t)[0]
	classes := jdk.MustJavac(t, []string{"--release", "11", "-implicit:none", "-sourcepath",
		filepath.Join("..", "..", "runtime", "api")}, filepath.Join("testdata", class+".java"))
	b, err := os.ReadFile(filepath.Join(classes, class+".class"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string // methods
	texts := map[string][]txtar.File{}
	for _, o := range variants {
		r, err := Rewrite(b, o)
		if err != nil {
			t.Fatal(err)
		}
		for i := range r.Methods {
			m := &r.Methods[i]
			name, text := m.Name+m.Descriptor, listing(t, r, m)
			files := texts[name]
			if files == nil {
				names = append(names, name)
			}
			if n := len(files); n > 0 && string(files[n-1].Data) == text {
				files[n-1].Name += ", " + variantName(o)
				continue
			}
			texts[name] = append(files, txtar.File{Name: name + ": " + variantName(o), Data: []byte(text)})
		}
	}
	golden := txtar.Archive{}
	for _, name := range names {
		golden.Files = append(golden.Files, texts[name]...)
	}
	path := filepath.Join("testdata", class+".txt")
	want, err := os.ReadFile(path)
	if err != nil && !*update {
		t.Fatal(err)
	}
	got := txtar.Format(&golden)
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("new code differs (-want +got):\n%s", diff)
		if *update {
			if err := os.WriteFile(path, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// listing describes what has become of a method.
func listing(t *testing.T, r *Result, m *Method) string {
	t.Helper()
	class, err := classfile.Parse(r.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for i, s := range m.Sites {
		fmt.Fprintf(&b, "site %d: %s %s", i, [...]string{"instance", "array", "array of any length", "level"}[s.Kind],
			s.Type)
		if s.Kind == allocations.ArrayConst {
			fmt.Fprintf(&b, " of %d", s.Length)
		}
		fmt.Fprintf(&b, ", bci %d, line %d\n", s.BCI, s.Line)
	}
	for _, c := range m.Counters {
		fmt.Fprintf(&b, "counter %d: ", c.Number)
		if c.Kind == Path {
			fmt.Fprintln(&b, c.Semantics)
			continue
		}
		fmt.Fprintf(&b, "%s of site %d", [...]string{Elements: "elements", Bytes: "bytes", Arrays: "arrays"}[c.Kind],
			c.Site)
		if c.Kind == Arrays {
			fmt.Fprintf(&b, ", each %v", c.Semantics)
		}
		b.WriteByte('\n')
	}
	if x := m.Context; x != nil {
		fmt.Fprintf(&b, "context %d: %d words, the first counter is %d\n", x.Number, x.Words, x.First)
		for _, c := range x.Calls {
			fmt.Fprintf(&b, "call: bci %d, now %d, line %d, %s\n", c.BCI, c.PC, c.Line, c.Callee)
		}
		for _, c := range x.Constructions {
			text := fmt.Sprintf("construction: call %d of %s", c.Call, c.Class)
			if c.Chains {
				text += ", this() or super()"
			}
			if c.Counted {
				text += fmt.Sprintf(", counter %d", c.Counter)
			}
			if c.Behind > 0 {
				text += fmt.Sprintf(", always %d behind new", c.Behind)
			}
			fmt.Fprintln(&b, text)
		}
	}
	if m.Crosses {
		b.WriteString("an exception may cross a path\n")
	}
	for i := range class.Methods {
		name, err1 := class.Pool.Utf8(class.Methods[i].Name)
		descriptor, err2 := class.Pool.Utf8(class.Methods[i].Descriptor)
		if err1 != nil || err2 != nil || name != m.Name || descriptor != m.Descriptor {
			continue
		}
		code, err := decodeBody(class, i)
		if err != nil {
			t.Fatal(err)
		}
		code.Lines = nil
		b.WriteString(withPhi(m, code.Text(class.Pool)))
	}
	return b.String()
}

// withPhi adds to each instruction of a listing what φ is there, where it is not zero.
func withPhi(m *Method, text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		b.WriteString(line)
		word, _, _ := strings.Cut(line, "\t")
		if pc, err := strconv.Atoi(word); err == nil && !m.Phi(pc).IsZero() {
			fmt.Fprintf(&b, "\t;; owed %v", m.Phi(pc))
		}
		b.WriteByte('\n')
	}
	return b.String()
}
