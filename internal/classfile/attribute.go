package classfile

// Names of the predefined attributes (JVMS 4.7, table 4.7-A).
const (
	AttrAnnotationDefault                    = "AnnotationDefault"
	AttrBootstrapMethods                     = "BootstrapMethods"
	AttrCode                                 = "Code"
	AttrConstantValue                        = "ConstantValue"
	AttrDeprecated                           = "Deprecated"
	AttrEnclosingMethod                      = "EnclosingMethod"
	AttrExceptions                           = "Exceptions"
	AttrInnerClasses                         = "InnerClasses"
	AttrLineNumberTable                      = "LineNumberTable"
	AttrLocalVariableTable                   = "LocalVariableTable"
	AttrLocalVariableTypeTable               = "LocalVariableTypeTable"
	AttrMethodParameters                     = "MethodParameters"
	AttrModule                               = "Module"
	AttrModuleMainClass                      = "ModuleMainClass"
	AttrModulePackages                       = "ModulePackages"
	AttrNestHost                             = "NestHost"
	AttrNestMembers                          = "NestMembers"
	AttrPermittedSubclasses                  = "PermittedSubclasses"
	AttrRecord                               = "Record"
	AttrRuntimeInvisibleAnnotations          = "RuntimeInvisibleAnnotations"
	AttrRuntimeInvisibleParameterAnnotations = "RuntimeInvisibleParameterAnnotations"
	AttrRuntimeInvisibleTypeAnnotations      = "RuntimeInvisibleTypeAnnotations"
	AttrRuntimeVisibleAnnotations            = "RuntimeVisibleAnnotations"
	AttrRuntimeVisibleParameterAnnotations   = "RuntimeVisibleParameterAnnotations"
	AttrRuntimeVisibleTypeAnnotations        = "RuntimeVisibleTypeAnnotations"
	AttrSignature                            = "Signature"
	AttrSourceDebugExtension                 = "SourceDebugExtension"
	AttrSourceFile                           = "SourceFile"
	AttrStackMapTable                        = "StackMapTable"
	AttrSynthetic                            = "Synthetic"
)

// A definition says where an attribute is predefined, from which major version
// on, and how it is decoded (JVMS 4.7, tables 4.7-B and 4.7-C).
type definition struct {
	in    Location
	since uint16
	form
}

// A form is how the contents of an attribute are laid out: what decodes them,
// and an Info of that type.
type form struct {
	decode func(info []byte) (Info, error)
	blank  func() Info
}

const (
	inMembers      = InField | InMethod
	inDeclarations = InClass | InField | InMethod | InRecordComponent
)

var definitions = map[string]definition{
	AttrConstantValue:                        {InField, 45, formOf[ConstantValue]()},
	AttrCode:                                 {InMethod, 45, form{decodeCode, func() Info { return new(Code) }}},
	AttrStackMapTable:                        {InCode, 50, formOf[StackMapTable]()},
	AttrExceptions:                           {InMethod, 45, formOf[Exceptions]()},
	AttrInnerClasses:                         {InClass, 45, formOf[InnerClasses]()},
	AttrEnclosingMethod:                      {InClass, 49, formOf[EnclosingMethod]()},
	AttrSynthetic:                            {InClass | inMembers, 45, formOf[Synthetic]()},
	AttrSignature:                            {inDeclarations, 49, formOf[Signature]()},
	AttrSourceFile:                           {InClass, 45, formOf[SourceFile]()},
	AttrSourceDebugExtension:                 {InClass, 49, formOf[SourceDebugExtension]()},
	AttrLineNumberTable:                      {InCode, 45, formOf[LineNumberTable]()},
	AttrLocalVariableTable:                   {InCode, 45, formOf[LocalVariableTable]()},
	AttrLocalVariableTypeTable:               {InCode, 49, formOf[LocalVariableTypeTable]()},
	AttrDeprecated:                           {InClass | inMembers, 45, formOf[Deprecated]()},
	AttrRuntimeVisibleAnnotations:            {inDeclarations, 49, formOf[Annotations]()},
	AttrRuntimeInvisibleAnnotations:          {inDeclarations, 49, formOf[Annotations]()},
	AttrRuntimeVisibleParameterAnnotations:   {InMethod, 49, formOf[ParameterAnnotations]()},
	AttrRuntimeInvisibleParameterAnnotations: {InMethod, 49, formOf[ParameterAnnotations]()},
	AttrRuntimeVisibleTypeAnnotations:        {inDeclarations | InCode, 52, formOf[TypeAnnotations]()},
	AttrRuntimeInvisibleTypeAnnotations:      {inDeclarations | InCode, 52, formOf[TypeAnnotations]()},
	AttrAnnotationDefault:                    {InMethod, 49, formOf[AnnotationDefault]()},
	AttrBootstrapMethods:                     {InClass, 51, formOf[BootstrapMethods]()},
	AttrMethodParameters:                     {InMethod, 52, formOf[MethodParameters]()},
	AttrModule:                               {InClass, 53, formOf[Module]()},
	AttrModulePackages:                       {InClass, 53, formOf[ModulePackages]()},
	AttrModuleMainClass:                      {InClass, 53, formOf[ModuleMainClass]()},
	AttrNestHost:                             {InClass, 55, formOf[NestHost]()},
	AttrNestMembers:                          {InClass, 55, formOf[NestMembers]()},
	AttrRecord:                               {InClass, 60, formOf[Record]()},
	AttrPermittedSubclasses:                  {InClass, 61, formOf[PermittedSubclasses]()},
}

// DecodeAttribute decodes an attribute that stands at the given place as the
// type that its name has there: *Code for Code, *Annotations for
// RuntimeVisibleAnnotations, and so on. An attribute that is not predefined,
// not at this place, or not in the version of this class (the JVM ignores it
// then), becomes an *Unknown.
func (c *Class) DecodeAttribute(a Attribute, at Location) (Info, error) {
	name, err := c.Pool.Utf8(a.Name)
	if err != nil {
		return nil, err
	}
	d, ok := definitions[name]
	if !ok || d.in&at == 0 || c.Major < d.since {
		return &Unknown{a.Info}, nil
	}
	return d.decode(a.Info)
}

// Unknown is an attribute kept as it stands.
type Unknown struct {
	Bytes []byte
}

func (u *Unknown) layout(c *codec) { c.rest(&u.Bytes) }

func formOf[T any, P interface {
	*T
	Info
}]() form {
	return form{func(info []byte) (Info, error) {
		t, err := DecodeInfo[T, P](info)
		if err != nil {
			return nil, err
		}
		return P(t), nil
	}, func() Info { return P(new(T)) }}
}

func decodeCode(info []byte) (Info, error) {
	a, err := DecodeCode(info)
	if err != nil {
		return nil, err
	}
	return a, nil
}
