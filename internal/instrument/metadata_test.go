package instrument

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"mallard/internal/classfile/corpus"
	"mallard/internal/instrument/allocations"
)

// TestMeaning takes what is made of every class of java.base through its encoding and back.
func TestMeaning(t *testing.T) {
	for _, image := range corpus.JDKs() {
		take := func(c *corpusClass) bool { return c.module == "java.base" && oneIn(20)(c) }
		eachClass(t, image, take, func(c *corpusClass) {
			getters := func(_, method string) bool { return strings.HasPrefix(method, "get") }
			for _, o := range []Options{{}, {Bytecodes: true}, {Contexts: Tree, Constructors: true},
				{Contexts: Hashed}, {Contexts: Encoded, Bytecodes: true}} {
				o.Leaf = getters
				want, err := Rewrite(c.bytes, o)
				if err != nil {
					t.Fatal(err)
				}
				metadata, err := want.Metadata()
				if err != nil {
					t.Fatalf("%s: %v", c, err)
				}
				got, err := Restore(want.Bytes, want.Counters, want.Contexts, want.Patches(), metadata)
				if err != nil {
					t.Fatalf("%s: %v", c, err)
				}
				if !reflect.DeepEqual(normal(want), normal(got)) {
					t.Errorf("%s: comes back as something else", c)
				}
				summary, err := Summary(want.Bytes, want.Counters, want.Contexts, metadata)
				if err != nil {
					t.Fatalf("%s: %v", c, err)
				}
				if !reflect.DeepEqual(withoutBytes(want), normal(summary)) {
					t.Errorf("%s: has another summary", c)
				}
				if before := want.Relative(Numbers{}); !bytes.Equal(before, want.Bytes) {
					t.Errorf("%s: other bytes", c)
				}
				apart := make([]uint32, want.Contexts)
				for i := range apart {
					apart[i] = 2000 - 3*uint32(i)
				}
				calls := make([]uint32, contextCalls(want))
				for i := range calls {
					calls[i] = 9000 - 2*uint32(i)
				}
				for _, added := range []Numbers{{Counters: 1000, Methods: 2000, Calls: 3000},
					{Counters: 1000, Each: apart, EachCall: calls}} {
					got.Bytes = want.Relative(Numbers{}) // a copy
					got.Add(added)
					if want.Counters+want.Contexts > 0 && bytes.Equal(got.Bytes, want.Bytes) ||
						!bytes.Equal(got.Relative(added), want.Bytes) {
						t.Errorf("%s: numbers cannot be taken away again", c)
					}
				}
			}
		})
	}
}

// normal makes empty slices nil: the encoding does not tell them apart. Leaves are not in it.
func normal(r *Result) *Result {
	n := *r
	n.Methods = append([]Method(nil), r.Methods...)
	for i := range n.Methods {
		m := &n.Methods[i]
		m.phis = append([]phiEntry(nil), m.phis...)
		for k := range m.phis {
			m.phis[k].phi = append(m.phis[k].phi[:0:0], m.phis[k].phi...)
		}
		if m.Context != nil {
			x := *m.Context
			x.Calls, x.Constructions = append([]Call(nil), x.Calls...), append([]Construction(nil), x.Constructions...)
			m.Context = &x
		}
		m.Counters = append([]Counter(nil), m.Counters...)
		for k := range m.Counters {
			m.Counters[k].Semantics = append(m.Counters[k].Semantics[:0:0], m.Counters[k].Semantics...)
		}
	}
	n.patches.Counters = append([]int(nil), r.patches.Counters...)
	n.Leaves, n.Assumed = nil, nil
	return &n
}

// withoutBytes leaves out what a summary has not.
func withoutBytes(r *Result) *Result {
	n := normal(r)
	n.patches = Patches{}
	for i := range n.Methods {
		n.Methods[i].codeFingerprint, n.Methods[i].phis, n.Methods[i].shifts = 0, nil, nil
	}
	return n
}

// FuzzRestore decodes anything.
func FuzzRestore(f *testing.F) {
	c := &coder{writing: true, known: map[string]uint64{}}
	c.result(&Result{Name: "A", Methods: []Method{{Name: "m", Descriptor: "()V",
		Sites: []allocations.Site{{Type: "[I", Line: -1}}, Counters: []Counter{{Number: 1}}}}})
	f.Add(c.b)
	f.Add([]byte{0, 200, 1})
	f.Fuzz(func(t *testing.T, b []byte) {
		summary, bad := Summary(nil, 0, 0, b)
		r, err := Restore(nil, 0, 0, Patches{}, b)
		if err != nil {
			if r != nil || summary != nil && bad != nil {
				t.Fatal("a result with an error")
			}
			return
		}
		if bad != nil {
			t.Fatalf("has no summary: %v", bad)
		}
		if _, err := r.Metadata(); err != nil {
			t.Fatal(err)
		}
	})
}

// contextCalls is how many calls the methods of a class have that have contexts.
func contextCalls(r *Result) (n int) {
	for i := range r.Methods {
		if x := r.Methods[i].Context; x != nil {
			n += len(x.Calls)
		}
	}
	return n
}
