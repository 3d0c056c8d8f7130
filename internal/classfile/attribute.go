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

// A Location is a set of places where an attribute may stand.
type Location uint8

const (
	InClass Location = 1 << iota
	InField
	InMethod
	InRecordComponent
	InCode
)

// A definition says where an attribute is predefined, from which major version
// on, and how it is decoded (JVMS 4.7, tables 4.7-B and 4.7-C).
type definition struct {
	where  Location
	since  uint16
	decode func(info []byte) (Info, error)
}

const (
	inMembers      = InField | InMethod
	inDeclarations = InClass | InField | InMethod | InRecordComponent
)

var definitions = map[string]definition{
	AttrConstantValue:                        {InField, 45, decodeAs[ConstantValue]},
	AttrCode:                                 {InMethod, 45, decodeCode},
	AttrStackMapTable:                        {InCode, 50, decodeAs[StackMapTable]},
	AttrExceptions:                           {InMethod, 45, decodeAs[Exceptions]},
	AttrInnerClasses:                         {InClass, 45, decodeAs[InnerClasses]},
	AttrEnclosingMethod:                      {InClass, 49, decodeAs[EnclosingMethod]},
	AttrSynthetic:                            {InClass | inMembers, 45, decodeAs[Synthetic]},
	AttrSignature:                            {inDeclarations, 49, decodeAs[Signature]},
	AttrSourceFile:                           {InClass, 45, decodeAs[SourceFile]},
	AttrSourceDebugExtension:                 {InClass, 49, decodeAs[SourceDebugExtension]},
	AttrLineNumberTable:                      {InCode, 45, decodeAs[LineNumberTable]},
	AttrLocalVariableTable:                   {InCode, 45, decodeAs[LocalVariableTable]},
	AttrLocalVariableTypeTable:               {InCode, 49, decodeAs[LocalVariableTypeTable]},
	AttrDeprecated:                           {InClass | inMembers, 45, decodeAs[Deprecated]},
	AttrRuntimeVisibleAnnotations:            {inDeclarations, 49, decodeAs[Annotations]},
	AttrRuntimeInvisibleAnnotations:          {inDeclarations, 49, decodeAs[Annotations]},
	AttrRuntimeVisibleParameterAnnotations:   {InMethod, 49, decodeAs[ParameterAnnotations]},
	AttrRuntimeInvisibleParameterAnnotations: {InMethod, 49, decodeAs[ParameterAnnotations]},
	AttrRuntimeVisibleTypeAnnotations:        {inDeclarations | InCode, 52, decodeAs[TypeAnnotations]},
	AttrRuntimeInvisibleTypeAnnotations:      {inDeclarations | InCode, 52, decodeAs[TypeAnnotations]},
	AttrAnnotationDefault:                    {InMethod, 49, decodeAs[AnnotationDefault]},
	AttrBootstrapMethods:                     {InClass, 51, decodeAs[BootstrapMethods]},
	AttrMethodParameters:                     {InMethod, 52, decodeAs[MethodParameters]},
	AttrModule:                               {InClass, 53, decodeAs[Module]},
	AttrModulePackages:                       {InClass, 53, decodeAs[ModulePackages]},
	AttrModuleMainClass:                      {InClass, 53, decodeAs[ModuleMainClass]},
	AttrNestHost:                             {InClass, 55, decodeAs[NestHost]},
	AttrNestMembers:                          {InClass, 55, decodeAs[NestMembers]},
	AttrRecord:                               {InClass, 60, decodeAs[Record]},
	AttrPermittedSubclasses:                  {InClass, 61, decodeAs[PermittedSubclasses]},
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
	if !ok || d.where&at == 0 || c.Major < d.since {
		return &Unknown{a.Info}, nil
	}
	return d.decode(a.Info)
}

// Unknown is an attribute kept as it stands.
type Unknown struct {
	Bytes []byte
}

func (u *Unknown) layout(c *codec) { c.rest(&u.Bytes) }

func decodeAs[T any, P interface {
	*T
	Info
}](info []byte) (Info, error) {
	t, err := DecodeInfo[T, P](info)
	if err != nil {
		return nil, err
	}
	return P(t), nil
}

func decodeCode(info []byte) (Info, error) {
	a, err := DecodeCode(info)
	if err != nil {
		return nil, err
	}
	return a, nil
}
