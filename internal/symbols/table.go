package symbols

import "mallard/internal/trace"

// Table is all that a recording has named so far. Its memory grows with the classes and contexts of the program.
type Table struct {
	Sites    []Site // whatever their numbers are, or were
	Classes  Classes
	Contexts Contexts

	strings     map[string]string // one copy of each
	siteIndexes map[siteKey]int32
	numbered    []int32 // by SiteID: index in Sites, -1 for a lost definition
}

// New makes an empty Table.
func New() *Table {
	return &Table{
		Classes:     newClasses(),
		Contexts:    newContexts(),
		strings:     map[string]string{},
		siteIndexes: map[siteKey]int32{},
	}
}

// Add takes the next record of a recording, if it names something. It is false for a definition whose numbers cannot
// be.
func (t *Table) Add(record trace.Record) bool {
	switch r := record.(type) {
	case *trace.Loader:
		t.Classes.loaders[r.ID] = *r
	case *trace.ClassSize:
		t.Classes.size(t.Intern(r.Name), r.Loader, r.Bytes)
	case *trace.ClassDef:
		return t.define(r)
	case *trace.MethodName:
		t.Contexts.define(r.Number, ContextMethod{
			Key:    MethodKey{r.Loader, t.Intern(r.Class), t.Intern(r.Name), t.Intern(r.Descriptor)},
			Source: t.Intern(r.Source),
			Native: r.Native,
			Named:  true,
		})
	case *trace.Transaction:
		key := MethodKey{Name: t.Intern("[" + r.Name + "]"), Descriptor: transactionMark}
		t.Contexts.define(r.Number, ContextMethod{Key: key, Named: true})
	case *trace.Contexts:
		t.Contexts.grow(r.Nodes)
	}
	return true
}

// define makes a version of a class known.
func (t *Table) define(class *trace.ClassDef) bool {
	if class.SiteBase > maxSites {
		return false
	}
	name, source := t.Intern(class.Name), t.Intern(class.Source)
	t.Classes.define(name, class.Loader)
	id := int(class.SiteBase)
	for m := range class.Methods {
		method := &class.Methods[m]
		key := t.Key(class, method)
		for _, def := range method.Sites {
			t.number(id, t.AddSite(key, def, source))
			id++
		}
		if method.Number != 0 {
			t.Contexts.define(method.Number, ContextMethod{Key: key, Source: source, Hidden: method.Hidden})
		}
	}
	return true
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
