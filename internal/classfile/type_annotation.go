package classfile

// TypeAnnotations is the contents of RuntimeVisibleTypeAnnotations and
// RuntimeInvisibleTypeAnnotations (JVMS 4.7.20, 4.7.21).
type TypeAnnotations struct {
	Annotations []TypeAnnotation
}

// A TypeAnnotation annotates the type that Target says or, if Path is not
// empty, a part of it.
type TypeAnnotation struct {
	Target     Target
	Path       []PathStep
	Annotation Annotation
}

// A PathStep leads from a type to a part of it (JVMS 4.7.20.2).
type PathStep struct {
	Kind     PathKind
	Argument uint8 // which type argument, for PathTypeArgument
}

// A PathKind is a type_path_kind (JVMS table 4.7.20.2-A).
type PathKind uint8

const (
	PathArray         PathKind = 0
	PathNested        PathKind = 1
	PathWildcardBound PathKind = 2
	PathTypeArgument  PathKind = 3
)

// A TargetType says on which type of a declaration or of code an annotation
// stands (JVMS tables 4.7.20-A and 4.7.20-B).
type TargetType uint8

const (
	TargetClassTypeParameter            TargetType = 0x00
	TargetMethodTypeParameter           TargetType = 0x01
	TargetSupertype                     TargetType = 0x10
	TargetClassTypeParameterBound       TargetType = 0x11
	TargetMethodTypeParameterBound      TargetType = 0x12
	TargetField                         TargetType = 0x13 // also a record component
	TargetMethodReturn                  TargetType = 0x14 // also the type of what a constructor makes
	TargetMethodReceiver                TargetType = 0x15
	TargetMethodFormalParameter         TargetType = 0x16
	TargetThrows                        TargetType = 0x17
	TargetLocalVariable                 TargetType = 0x40
	TargetResourceVariable              TargetType = 0x41
	TargetExceptionParameter            TargetType = 0x42
	TargetInstanceof                    TargetType = 0x43
	TargetNew                           TargetType = 0x44
	TargetConstructorReference          TargetType = 0x45
	TargetMethodReference               TargetType = 0x46
	TargetCast                          TargetType = 0x47
	TargetConstructorInvocationArgument TargetType = 0x48
	TargetMethodInvocationArgument      TargetType = 0x49
	TargetConstructorReferenceArgument  TargetType = 0x4A
	TargetMethodReferenceArgument       TargetType = 0x4B
)

// A Target is a target_type with its target_info (JVMS 4.7.20.1). Which fields
// are used depends on Type:
//
//	type parameter          Index, at most 255
//	type parameter bound    Index, at most 255; Bound
//	supertype               Index of the interface, 65535 for the superclass
//	formal parameter        Index, at most 255
//	throws                  Index in Exceptions
//	local variable          Ranges
//	exception parameter     Index in the exception table
//	instanceof, new,
//	method reference        PC of the instruction
//	cast, type argument     PC of the instruction; Argument
//	all others              none
type Target struct {
	Type     TargetType
	Index    uint16
	Bound    uint8
	PC       PC
	Argument uint8
	Ranges   []LocalRange
}

// A LocalRange says that a local variable has its value in Slot in the range
// [StartPC, StartPC+Length).
type LocalRange struct {
	StartPC, Length PC
	Slot            Slot
}

func (a *TypeAnnotations) layout(c *codec) { list(c, &a.Annotations, 6, (*TypeAnnotation).layout) }

func (a *TypeAnnotation) layout(c *codec) {
	a.Target.layout(c)
	shortList(c, &a.Path, 2, (*PathStep).layout)
	a.Annotation.layout(c)
}

func (s *PathStep) layout(c *codec) {
	u1(c, &s.Kind)
	u1(c, &s.Argument)
}

func (t *Target) layout(c *codec) {
	u1(c, &t.Type)
	switch t.Type {
	case TargetClassTypeParameter, TargetMethodTypeParameter, TargetMethodFormalParameter:
		narrow(c, &t.Index)
	case TargetSupertype, TargetThrows, TargetExceptionParameter:
		u2(c, &t.Index)
	case TargetClassTypeParameterBound, TargetMethodTypeParameterBound:
		narrow(c, &t.Index)
		u1(c, &t.Bound)
	case TargetField, TargetMethodReturn, TargetMethodReceiver:
	case TargetLocalVariable, TargetResourceVariable:
		list(c, &t.Ranges, 6, (*LocalRange).layout)
	case TargetInstanceof, TargetNew, TargetConstructorReference, TargetMethodReference:
		u2(c, &t.PC)
	case TargetCast, TargetConstructorInvocationArgument, TargetMethodInvocationArgument,
		TargetConstructorReferenceArgument, TargetMethodReferenceArgument:
		u2(c, &t.PC)
		u1(c, &t.Argument)
	default:
		c.failf("target_type %#02x does not exist", t.Type)
	}
}

func (r *LocalRange) layout(c *codec) {
	u2(c, &r.StartPC)
	u2(c, &r.Length)
	u2(c, &r.Slot)
}
