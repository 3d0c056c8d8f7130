package symbols

import (
	"hash/maphash"

	"mallard/internal/trace"
)

// Table is all that a recording has named so far. Its memory grows with the classes and contexts of the program.
type Table struct {
	Sites    []Site // whatever their numbers are, or were
	Classes  Classes
	Contexts Contexts

	strings     map[string]string // one copy of each
	siteIndexes map[uint64]int32  // by hash, from which on it is the first one that is free
	seed        maphash.Seed
	numbered    []int32 // by SiteID: index in Sites, -1 for a lost definition
}

// New makes an empty Table.
func New() *Table {
	return &Table{
		Classes:     newClasses(),
		Contexts:    newContexts(),
		strings:     map[string]string{},
		siteIndexes: map[uint64]int32{},
		seed:        maphash.MakeSeed(),
	}
}

// Key is the key of a method of a class.
func (t *Table) Key(class *trace.ClassDef, method *trace.MethodDef) MethodKey {
	return MethodKey{class.Loader, t.Intern(class.Name), t.Intern(method.Name), t.Intern(method.Descriptor)}
}

// Intern returns s itself or an equal string seen before: recordings repeat
// their names with every version of a class.
func (t *Table) Intern(s string) string {
	if known, ok := t.strings[s]; ok {
		return known
	}
	t.strings[s] = s
	return s
}
