package classfile

import (
	"fmt"
	"strings"
)

// maxArrayDimensions is the most dimensions an array type may have (JVMS 4.3.2).
const maxArrayDimensions = 255

// CheckFieldDescriptor returns an error if d is no field descriptor
// (JVMS 4.3.2).
func CheckFieldDescriptor(d string) error {
	if n := fieldTypeLength(d); n == 0 || n != len(d) {
		return fmt.Errorf("classfile: %q is no field descriptor", d)
	}
	return nil
}

// SplitMethodDescriptor takes a method descriptor apart (JVMS 4.3.3) into the
// descriptors of its parameters and of its result, which may be V.
func SplitMethodDescriptor(d string) (parameters []string, result string, err error) {
	bad := func() ([]string, string, error) {
		return nil, "", fmt.Errorf("classfile: %q is no method descriptor", d)
	}
	rest, ok := strings.CutPrefix(d, "(")
	if !ok {
		return bad()
	}
	for !strings.HasPrefix(rest, ")") {
		n := fieldTypeLength(rest)
		if n == 0 {
			return bad()
		}
		parameters = append(parameters, rest[:n])
		rest = rest[n:]
	}
	result = rest[1:]
	if result != "V" && (result == "" || fieldTypeLength(result) != len(result)) {
		return bad()
	}
	return parameters, result, nil
}

// Slots returns how many local variables or operand stack entries a value of
// this field descriptor takes: 2 for long and double, 0 for V, else 1.
func Slots(descriptor string) int {
	switch descriptor {
	case "J", "D":
		return 2
	case "V":
		return 0
	}
	return 1
}

// fieldTypeLength returns the length of the field descriptor that d begins
// with, 0 if it begins with none.
func fieldTypeLength(d string) int {
	dims := 0
	for dims < len(d) && d[dims] == '[' {
		dims++
	}
	if dims == len(d) || dims > maxArrayDimensions {
		return 0
	}
	switch d[dims] {
	case 'B', 'C', 'D', 'F', 'I', 'J', 'S', 'Z':
		return dims + 1
	case 'L':
		end := strings.IndexByte(d[dims:], ';')
		if end < 2 || strings.ContainsAny(d[dims:dims+end], ".[(") {
			return 0
		}
		return dims + end + 1
	}
	return 0
}

// JavaName returns a class name in internal form (of a Class constant) or a
// field descriptor as Java writes it: java.lang.String, int[][]. A single
// letter is a descriptor only behind a [, because a class may be called I.
func JavaName(internal string) string {
	element := strings.TrimLeft(internal, "[")
	dims := len(internal) - len(element)
	if dims > 0 {
		if name, ok := primitiveNames[element]; ok {
			element = name
		}
	}
	if strings.HasPrefix(element, "L") && strings.HasSuffix(element, ";") {
		element = element[1 : len(element)-1]
	}
	return strings.ReplaceAll(element, "/", ".") + strings.Repeat("[]", dims)
}

var primitiveNames = map[string]string{
	"B": "byte", "C": "char", "D": "double", "F": "float",
	"I": "int", "J": "long", "S": "short", "Z": "boolean",
}
