package classfile

// Access flags and properties of classes, nested classes, fields, methods,
// parameters and modules (JVMS 4.1, 4.5, 4.6, 4.7.6, 4.7.24, 4.7.25). One bit
// means different things at different places.
const (
	AccPublic       = 0x0001
	AccPrivate      = 0x0002
	AccProtected    = 0x0004
	AccStatic       = 0x0008
	AccFinal        = 0x0010
	AccSuper        = 0x0020 // class
	AccSynchronized = 0x0020 // method
	AccOpen         = 0x0020 // module
	AccTransitive   = 0x0020 // module requires
	AccVolatile     = 0x0040 // field
	AccBridge       = 0x0040 // method
	AccStaticPhase  = 0x0040 // module requires
	AccTransient    = 0x0080 // field
	AccVarargs      = 0x0080 // method
	AccNative       = 0x0100
	AccInterface    = 0x0200
	AccAbstract     = 0x0400
	AccStrict       = 0x0800
	AccSynthetic    = 0x1000
	AccAnnotation   = 0x2000
	AccEnum         = 0x4000
	AccMandated     = 0x8000 // parameter, module
	AccModule       = 0x8000 // class
)
