package jfr

// TypeID numbers the types of a file. Those of metadata and checkpoint are fixed.
type TypeID int64

const (
	metadataType   TypeID = 0
	checkpointType TypeID = 1
)

// Numbers of the types that there are in each file.
const (
	Boolean TypeID = 4 + iota
	Char
	Float
	Double
	Byte
	Short
	Int
	Long
	String
	Class
	Thread
	ClassLoader
	Module
	Package
	Symbol
	Method
	FrameType
	StackFrame
	StackTrace
	ThreadGroup
	label
	timestamp
	dataAmount
	description
	// FirstEvent is for the first type of a file's own.
	FirstEvent TypeID = 100
)

// Type is a type of values or events.
type Type struct {
	ID          TypeID
	Name        string
	Super       string // of events and annotations
	Simple      bool   // stands for the one field that it has
	Annotations []Annotation
	Fields      []Field
}

// Field is a field of a type.
type Field struct {
	Name        string
	Type        TypeID
	Pooled      bool // the value is a key in the type's constant pool
	IsArray     bool
	Annotations []Annotation
}

// Annotation says what a type or a field means.
type Annotation struct {
	Type  TypeID
	Value string
}

// EventSuper is what types of events have for Super.
const EventSuper = "jdk.jfr.Event"

// Label is what a reader calls a type or field.
func Label(text string) Annotation { return Annotation{label, text} }

// Description says more of one.
func Description(text string) Annotation { return Annotation{description, text} }

// Ticks says that a field is an instant; Bytes that it is a number of bytes.
var (
	Ticks = Annotation{timestamp, "TICKS"}
	Bytes = Annotation{dataAmount, "BYTES"}
)

func pooled(name string, t TypeID) Field { return Field{Name: name, Type: t, Pooled: true} }
func plain(name string, t TypeID) Field  { return Field{Name: name, Type: t} }

func annotation(id TypeID, name string) Type {
	return Type{ID: id, Name: name, Super: "java.lang.annotation.Annotation",
		Fields: []Field{plain("value", String)}}
}

// known are the types that each file has, with the fields of the JDK's.
var known = []Type{
	{ID: Boolean, Name: "boolean"}, {ID: Char, Name: "char"}, {ID: Float, Name: "float"},
	{ID: Double, Name: "double"}, {ID: Byte, Name: "byte"}, {ID: Short, Name: "short"}, {ID: Int, Name: "int"},
	{ID: Long, Name: "long"}, {ID: String, Name: "java.lang.String"},
	{ID: Class, Name: "java.lang.Class", Fields: []Field{pooled("classLoader", ClassLoader), pooled("name", Symbol),
		pooled("package", Package), plain("modifiers", Int), plain("hidden", Boolean)}},
	{ID: Thread, Name: "java.lang.Thread", Fields: []Field{plain("osName", String), plain("osThreadId", Long),
		plain("javaName", String), plain("javaThreadId", Long), pooled("group", ThreadGroup)}},
	{ID: ThreadGroup, Name: "jdk.types.ThreadGroup", Fields: []Field{pooled("parent", ThreadGroup),
		plain("name", String)}},
	{ID: ClassLoader, Name: "jdk.types.ClassLoader", Fields: []Field{pooled("type", Class), pooled("name", Symbol)}},
	{ID: Module, Name: "jdk.types.Module", Fields: []Field{pooled("name", Symbol), pooled("version", Symbol),
		pooled("location", Symbol), pooled("classLoader", ClassLoader)}},
	{ID: Package, Name: "jdk.types.Package", Fields: []Field{pooled("name", Symbol), pooled("module", Module),
		plain("exported", Boolean)}},
	{ID: Symbol, Name: "jdk.types.Symbol", Simple: true, Fields: []Field{plain("string", String)}},
	{ID: Method, Name: "jdk.types.Method", Fields: []Field{pooled("type", Class), pooled("name", Symbol),
		pooled("descriptor", Symbol), plain("modifiers", Int), plain("hidden", Boolean)}},
	{ID: FrameType, Name: "jdk.types.FrameType", Simple: true, Fields: []Field{plain("description", String)}},
	{ID: StackFrame, Name: "jdk.types.StackFrame", Fields: []Field{pooled("method", Method), plain("lineNumber", Int),
		plain("bytecodeIndex", Int), pooled("type", FrameType)}},
	{ID: StackTrace, Name: "jdk.types.StackTrace", Fields: []Field{plain("truncated", Boolean),
		{Name: "frames", Type: StackFrame, IsArray: true}}},
	annotation(label, "jdk.jfr.Label"), annotation(timestamp, "jdk.jfr.Timestamp"),
	annotation(dataAmount, "jdk.jfr.DataAmount"), annotation(description, "jdk.jfr.Description"),
}
