package allocations

// primitiveArrays has the descriptors of newarray's types by their code (JVMS table 6.5.newarray-A).
var primitiveArrays = map[int32]string{4: "[Z", 5: "[C", 6: "[F", 7: "[D", 8: "[B", 9: "[S", 10: "[I", 11: "[J"}

// arrayOf gives the descriptor of arrays whose elements are of a type in the constant pool's form.
func arrayOf(class string) string {
	if dimensions(class) > 0 {
		return "[" + class
	}
	return "[L" + class + ";"
}

func dimensions(descriptor string) int {
	n := 0
	for n < len(descriptor) && descriptor[n] == '[' {
		n++
	}
	return n
}

// ElementShift gives the binary logarithm of the size of elements of this descriptor; -1 for references, whose size
// is the JVM's choice.
func ElementShift(descriptor string) int {
	switch descriptor[0] {
	case 'Z', 'B':
		return 0
	case 'C', 'S':
		return 1
	case 'I', 'F':
		return 2
	case 'J', 'D':
		return 3
	}
	return -1
}
