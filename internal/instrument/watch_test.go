package instrument

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"mallard/internal/bytecode"
	"mallard/internal/classfile"
	"mallard/internal/jvmtest"
	"mallard/internal/placement"
)

// TestWatchedKeepsCounts: code that tells what it reads has the same sites and counters, with the same meanings, and
// the same φ before each instruction of the program's, as code that does not.
func TestWatchedKeepsCounts(t *testing.T) {
	jdk := jvmtest.JDKs(t)[0]
	for _, class := range []string{"Positions", "Contexts", "Tags", "Reads"} {
		dir := jdk.MustJavac(t, []string{"--release", "11", "-implicit:none", "-sourcepath",
			filepath.Join("..", "..", "runtime", "api")}, filepath.Join("testdata", class+".java"))
		b, err := os.ReadFile(filepath.Join(dir, class+".class"))
		if err != nil {
			t.Fatal(err)
		}
		for _, contexts := range []Representation{NoContexts, Tree, Hashed, Encoded} {
			o := Options{Placement: placement.Optimal, Contexts: contexts}
			plain, err := Rewrite(b, o)
			if err != nil {
				t.Fatal(err)
			}
			o.Watched = true
			telling, err := Rewrite(b, o)
			if err != nil {
				t.Fatal(err)
			}
			if len(plain.Methods) != len(telling.Methods) || plain.Counters != telling.Counters ||
				plain.Contexts != telling.Contexts || !slices.Equal(plain.Leaves, telling.Leaves) {
				t.Errorf("%s, contexts %v: %d methods, %d counters, %d contexts, leaves %v; watched %d, %d, %d, %v",
					class, contexts, len(plain.Methods), plain.Counters, plain.Contexts, plain.Leaves,
					len(telling.Methods), telling.Counters, telling.Contexts, telling.Leaves)
				continue
			}
			reads := 0
			for i := range plain.Methods {
				reads += compareWatched(t, b, &plain.Methods[i], &telling.Methods[i])
			}
			if reads == 0 && class == "Reads" {
				t.Errorf("%s reads nothing", class)
			}
		}
	}
}

// compareWatched compares a method with the one that tells what it reads, and counts the reads.
func compareWatched(t *testing.T, class []byte, plain, telling *Method) (reads int) {
	t.Helper()
	name := plain.Name + plain.Descriptor
	if !slices.Equal(plain.Sites, telling.Sites) || len(plain.Counters) != len(telling.Counters) {
		t.Errorf("%s: other sites or counters", name)
		return 0
	}
	for i := range plain.Counters {
		a, b := plain.Counters[i], telling.Counters[i]
		if a.Number != b.Number || a.Kind != b.Kind || !a.Semantics.Equal(b.Semantics) {
			t.Errorf("%s: counter %d is %+v, watched %+v", name, i, a, b)
		}
	}
	c, err := classfile.Parse(class)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := classfile.DecodeCode(c.Pool.FindAttribute(c.FindMethod(plain.Name, plain.Descriptor).Attributes,
		classfile.AttrCode).Info)
	if err != nil {
		t.Fatal(err)
	}
	code, err := bytecode.Decode(raw, c.Pool)
	if err != nil {
		t.Fatal(err)
	}
	at := func(m *Method) map[int]int { // where instructions of the class file are in the new code
		places := map[int]int{}
		for pc := range 1 << 16 {
			if bci := m.BCIAt(pc); bci >= 0 && bci < len(raw.Bytecode) {
				places[bci] = pc
			}
		}
		return places
	}
	before, after := at(plain), at(telling)
	for i, in := range code.Insns {
		bci := code.PC(i)
		if !plain.Phi(before[bci]).Equal(telling.Phi(after[bci])) {
			t.Errorf("%s: at %d φ is %v, watched %v", name, bci, plain.Phi(before[bci]), telling.Phi(after[bci]))
		}
		if in.Op == bytecode.OpGetfield || in.Op == bytecode.OpIaload || in.Op == bytecode.OpAaload {
			reads++
		}
	}
	return reads
}
