package classes

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"mallard/internal/calltree"
	"mallard/internal/instrument"
	"mallard/internal/jvmtest"
	"mallard/internal/trace"
)

// numbered are contexts that number methods, and note what is defined and what is gone.
type numbered struct {
	next         calltree.MethodID
	hidden, gone []*Version
}

func (n *numbered) Methods(r *instrument.Result) []calltree.Method {
	return make([]calltree.Method, r.Contexts)
}

func (n *numbered) Number(methods []calltree.Method) (calltree.MethodNumbers, error) {
	first := n.next + 1
	n.next += calltree.MethodID(len(methods))
	return calltree.MethodNumbers{First: first}, nil
}

func (n *numbered) Describe(calltree.MethodID, []calltree.Method) error { return nil }
func (n *numbered) Named(int, func() []string)                          {}
func (n *numbered) FirstCall(calltree.MethodID) uint32                  { return 1 }
func (n *numbered) Define(Key, *Version, *instrument.Result)            {}
func (n *numbered) DefineHidden(v *Version, _ *instrument.Result)       { n.hidden = append(n.hidden, v) }
func (n *numbered) LoadersGone([]trace.LoaderID)                        {}
func (n *numbered) Gone(_ []Key, versions []*Version, _ trace.ClassID)  { n.gone = versions }
func (n *numbered) code(_ trace.LoaderID, o *instrument.Options)        { o.Contexts = instrument.Hashed }

// TestHiddenInContexts has a hidden class get numbers for its methods, until its loader is gone: then these are free,
// and one more class may be hidden.
func TestHiddenInContexts(t *testing.T) {
	compiled := jvmtest.JDKs(t)[0].MustJavac(t, nil, filepath.Join("testdata", "Copier.java"))
	file, err := os.ReadFile(filepath.Join(compiled, "Copier.class"))
	if err != nil {
		t.Fatal(err)
	}
	contexts := &numbered{}
	j := newJVM(t, Options{Contexts: contexts, Code: contexts.code}, nil)
	if answer := j.LoadHidden(loader, Location{}, file); len(answer.Bytes) == 0 {
		t.Fatal("the class stays as it is")
	}
	if len(contexts.hidden) != 1 || contexts.hidden[0].MethodNumbers().First != 1 || contexts.next == 0 ||
		j.hidden != 1 {
		t.Fatalf("hidden are %v, with %d methods", contexts.hidden, contexts.next)
	}
	gone := j.Unload([]trace.LoaderID{loader})
	gone.Recorded()
	if !slices.Equal(contexts.gone, contexts.hidden) || !contexts.hidden[0].Gone() || j.hidden != 0 {
		t.Errorf("gone are %v, of %v, and %d are left", contexts.gone, contexts.hidden, j.hidden)
	}
}
