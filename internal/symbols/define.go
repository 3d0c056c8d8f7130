package symbols

import "mallard/internal/trace"

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
		if method.Number != 0 && !t.Contexts.isDefined(method.Number, key) {
			t.Contexts.define(method.Number, ContextMethod{Key: key, Source: source, Hidden: method.Hidden})
		}
	}
	return true
}
