package classfile

// Annotations is the contents of RuntimeVisibleAnnotations and
// RuntimeInvisibleAnnotations (JVMS 4.7.16, 4.7.17).
type Annotations struct {
	Annotations []Annotation
}

// ParameterAnnotations is the contents of RuntimeVisibleParameterAnnotations
// and RuntimeInvisibleParameterAnnotations (JVMS 4.7.18, 4.7.19): the
// annotations of each parameter.
type ParameterAnnotations struct {
	Parameters []Annotations
}

// AnnotationDefault is the default value of an element of an annotation
// interface (JVMS 4.7.22).
type AnnotationDefault struct {
	Value ElementValue
}

// An Annotation has a field descriptor, a Utf8 constant, as its type.
type Annotation struct {
	Type     PoolIndex
	Elements []Element
}

// An Element is an element-value pair; Name is a Utf8 constant.
type Element struct {
	Name  PoolIndex
	Value ElementValue
}

// An ElementValue is the value of an annotation's element (JVMS 4.7.16.1).
// Which fields are used depends on Tag:
//
//	B C D F I J S Z s   Value, a constant of that type (s: Utf8)
//	c                   Value, a Utf8 constant: the descriptor of a class
//	e                   EnumType and Value, Utf8 constants: descriptor and name
//	@                   Annotation
//	[                   Array
type ElementValue struct {
	Tag        uint8
	EnumType   PoolIndex
	Value      PoolIndex
	Annotation *Annotation
	Array      []ElementValue
}

func (a *Annotations) layout(c *codec) { list(c, &a.Annotations, 4, (*Annotation).layout) }

func (a *ParameterAnnotations) layout(c *codec) {
	shortList(c, &a.Parameters, 2, (*Annotations).layout)
}

func (a *AnnotationDefault) layout(c *codec) { a.Value.layout(c) }

func (a *Annotation) layout(c *codec) {
	c.index(&a.Type)
	list(c, &a.Elements, 5, (*Element).layout)
}

func (e *Element) layout(c *codec) {
	c.index(&e.Name)
	e.Value.layout(c)
}

func (v *ElementValue) layout(c *codec) {
	if c.depth == MaxElementDepth {
		c.failf("element values nest deeper than %d", MaxElementDepth)
		return
	}
	c.depth++
	defer func() { c.depth-- }()

	u1(c, &v.Tag)
	switch v.Tag {
	case 'B', 'C', 'D', 'F', 'I', 'J', 'S', 'Z', 's', 'c':
		c.index(&v.Value)
	case 'e':
		c.index(&v.EnumType)
		c.index(&v.Value)
	case '@':
		if !c.encoding {
			v.Annotation = new(Annotation)
		}
		if v.Annotation == nil {
			c.failf("element value @ has no annotation")
			return
		}
		v.Annotation.layout(c)
	case '[':
		list(c, &v.Array, 3, (*ElementValue).layout)
	default:
		c.failf("element value tag %d does not exist", v.Tag)
	}
}
