package symbols

import "strings"

// ClassName turns the internal form of a class or interface name into what
// Class.getName prints: java/util/Map$Entry becomes java.util.Map$Entry.
func ClassName(internal string) string { return strings.ReplaceAll(internal, "/", ".") }

// TypeName turns the internal form of an allocated type (JVMS 4.4.1: a class
// name or an array descriptor) into Java's words: [[I becomes int[][], and
// [Ljava/lang/String; becomes java.lang.String[].
func TypeName(internal string) string {
	element := strings.TrimLeft(internal, "[")
	levels := len(internal) - len(element)
	if levels == 0 {
		return ClassName(internal)
	}
	return elementName(element) + strings.Repeat("[]", levels)
}

// InternalType is the internal form of a type in Java's words, as [TypeName] has it.
func InternalType(name string) string {
	element := strings.TrimRight(name, "[]")
	levels := (len(name) - len(element)) / len("[]")
	if levels == 0 {
		return strings.ReplaceAll(name, ".", "/")
	}
	descriptor, basic := basicDescriptors[element]
	if !basic {
		descriptor = "L" + strings.ReplaceAll(element, ".", "/") + ";"
	}
	return strings.Repeat("[", levels) + descriptor
}

var basicDescriptors = map[string]string{"boolean": "Z", "byte": "B", "char": "C", "short": "S", "int": "I",
	"long": "J", "float": "F", "double": "D"}

// elementName names a field descriptor that is no array (JVMS 4.3.2).
func elementName(descriptor string) string {
	switch descriptor {
	case "Z":
		return "boolean"
	case "B":
		return "byte"
	case "C":
		return "char"
	case "S":
		return "short"
	case "I":
		return "int"
	case "J":
		return "long"
	case "F":
		return "float"
	case "D":
		return "double"
	}
	return ClassName(strings.TrimSuffix(strings.TrimPrefix(descriptor, "L"), ";"))
}

// ElementClass returns the class that an allocated type is made of, internal
// form: java/lang/String for [[Ljava/lang/String;, empty for arrays of a
// primitive type.
func ElementClass(internal string) string {
	element := strings.TrimLeft(internal, "[")
	if len(element) == len(internal) {
		return internal
	}
	class, isClass := strings.CutPrefix(element, "L")
	if !isClass {
		return ""
	}
	return strings.TrimSuffix(class, ";")
}

// Parameters renders the parameter types of a method descriptor (JVMS 4.3.3)
// with simple class names: (ILjava/lang/String;)V becomes (int, String). A
// descriptor that is none is returned as it is.
func Parameters(descriptor string) string {
	rest, ok := strings.CutPrefix(descriptor, "(")
	end := strings.IndexByte(rest, ')')
	if !ok || end < 0 {
		return descriptor
	}
	var names []string
	for rest = rest[:end]; rest != ""; {
		n := fieldLength(rest)
		if n == 0 {
			return descriptor
		}
		name := TypeName("[" + rest[:n])
		name = strings.TrimSuffix(name, "[]")
		names = append(names, name[strings.LastIndexByte(name, '.')+1:])
		rest = rest[n:]
	}
	return "(" + strings.Join(names, ", ") + ")"
}

// fieldLength returns the length of the field descriptor that s begins with,
// 0 if it begins with none.
func fieldLength(s string) int {
	n := len(s) - len(strings.TrimLeft(s, "["))
	if n == len(s) {
		return 0
	}
	if s[n] != 'L' {
		return n + 1
	}
	semicolon := strings.IndexByte(s[n:], ';')
	if semicolon < 0 {
		return 0
	}
	return n + semicolon + 1
}
