package jfr

import "strconv"

// element is one of the tree that metadata is.
type element struct {
	name       string
	attributes [][2]string
	children   []element
}

func (e *element) set(name, value string) {
	e.attributes = append(e.attributes, [2]string{name, value})
}

func (t TypeID) text() string { return strconv.FormatInt(int64(t), 10) }

func (a Annotation) element() element {
	return element{name: "annotation", attributes: [][2]string{{"class", a.Type.text()}, {"value", a.Value}}}
}

func (t *Type) element() element {
	e := element{name: "class"}
	e.set("name", t.Name)
	if t.Super != "" {
		e.set("superType", t.Super)
	}
	if t.Simple {
		e.set("simpleType", "true")
	}
	e.set("id", t.ID.text())
	for _, a := range t.Annotations {
		e.children = append(e.children, a.element())
	}
	for i := range t.Fields {
		f := &t.Fields[i]
		field := element{name: "field"}
		field.set("name", f.Name)
		field.set("class", f.Type.text())
		if f.Pooled {
			field.set("constantPool", "true")
		}
		if f.IsArray {
			field.set("dimension", "1")
		}
		for _, a := range f.Annotations {
			field.children = append(field.children, a.element())
		}
		e.children = append(e.children, field)
	}
	return e
}

// metadata is the body of the event that says which types there are.
func metadata(types []Type) []byte {
	of := element{name: "metadata"}
	for i := range types {
		of.children = append(of.children, types[i].element())
	}
	root := element{name: "root", children: []element{of, {name: "region", attributes: [][2]string{{"locale", "en_US"},
		{"gmtOffset", "0"}}}}}
	t := texts{numbers: map[string]int64{}}
	tree := t.append(nil, &root)
	b := appendInt(nil, int64(metadataType))
	b = appendInt(b, 0) // start
	b = appendInt(b, 0) // duration
	b = appendInt(b, 1) // number of the metadata
	b = appendInt(b, int64(len(t.list)))
	for _, s := range t.list {
		b = appendString(b, s)
	}
	return append(b, tree...)
}

// texts numbers the strings of a tree.
type texts struct {
	numbers map[string]int64
	list    []string
}

func (t *texts) number(s string) int64 {
	n, known := t.numbers[s]
	if !known {
		n = int64(len(t.list))
		t.numbers[s], t.list = n, append(t.list, s)
	}
	return n
}

func (t *texts) append(b []byte, e *element) []byte {
	b = appendInt(b, t.number(e.name))
	b = appendInt(b, int64(len(e.attributes)))
	for _, a := range e.attributes {
		b = appendInt(b, t.number(a[0]))
		b = appendInt(b, t.number(a[1]))
	}
	b = appendInt(b, int64(len(e.children)))
	for i := range e.children {
		b = t.append(b, &e.children[i])
	}
	return b
}
