package jvmtest

import "strings"

// Counts is what the oracle saw of one class or site.
type Counts struct {
	Objects  int64
	Bytes    int64 // alignment included
	Elements int64 // of arrays: the sum of their lengths; of sites only
}

func (c Counts) Plus(d Counts) Counts {
	return Counts{c.Objects + d.Objects, c.Bytes + d.Bytes, c.Elements + d.Elements}
}

// Site is a bytecode at which the oracle saw an object of a class being made.
type Site struct {
	Class       string // of the object, as Java writes it
	Declaring   string // class that has the method, by its binary name: Outer$Inner
	Method      string
	Descriptor  string
	BCI         int
	Line        int    // -1 unknown
	Instruction string // new, anewarray, multianewarray, newarray int (...), invokedynamic, ldc, raising, or other
	Called      string // "", or the JDK's method, Class.name, that the bytecode called, ...
	AllocatedBy string // ... and the one that made the object in the end
}

// Allocates tells whether the object is what the bytecode made, or the method that it called, not something the JVM
// allocated on the way: the first execution of `new Foo` may also call a class loader, for which the JVM makes strings
// and mirrors.
func (s Site) Allocates() bool {
	if s.Called != "" {
		return s.made()
	}
	array := strings.HasSuffix(s.Class, "[]")
	if element, ok := strings.CutPrefix(s.Instruction, "newarray "); ok {
		return s.Class == element+"[]"
	}
	switch s.Instruction {
	case "new":
		return !array && s.Class != "java.lang.String" && s.Class != "java.lang.Class"
	case "anewarray":
		return array && !isPrimitive(strings.TrimSuffix(s.Class, "[]"))
	case "multianewarray":
		return array && s.Class != "byte[]"
	}
	return false
}

// Thrown tells whether the object is an exception that the JVM made because of the bytecode, or its message. Messages
// are told from other strings only at bytecodes that load no classes.
func (s Site) Thrown() bool {
	if s.Called != "" && s.Called != "java.lang.System.arraycopy" || s.Called == "" && s.Instruction == "new" {
		return false
	}
	switch s.Class {
	case "java.lang.NullPointerException", "java.lang.ArrayIndexOutOfBoundsException", "java.lang.ClassCastException",
		"java.lang.NegativeArraySizeException",
		"java.lang.ArrayStoreException", "java.lang.ArithmeticException", "java.lang.IllegalMonitorStateException",
		"java.lang.NoClassDefFoundError",
		"java.lang.ExceptionInInitializerError", "java.lang.AbstractMethodError",
		"java.lang.IncompatibleClassChangeError":
		return true
	case "java.lang.String", "byte[]":
		return s.Instruction == "raising" && s.Called == ""
	}
	return false
}

// made tells whether the object is what the JDK's method is there to make, and no more. What else it makes on the way
// it makes with bytecodes of its own.
func (s Site) made() bool {
	switch s.Called {
	case "java.lang.Object.clone":
		return true
	case "java.util.Arrays.copyOf", "java.util.Arrays.copyOfRange":
		return strings.HasSuffix(s.Class, "[]") && (s.AllocatedBy == s.Called && s.Class == "java.lang.Object[]" ||
			s.AllocatedBy == "java.lang.reflect.Array.newArray")
	case "java.lang.reflect.Array.newInstance":
		return strings.HasSuffix(s.Class, "[]") && strings.HasPrefix(s.AllocatedBy, "java.lang.reflect.Array.")
	case "java.lang.Class.newInstance", "java.lang.reflect.Constructor.newInstance", "sun.misc.Unsafe.allocateInstance":
		// The JDK makes classes to call constructors with, and instances of those.
		return !strings.HasSuffix(s.Class, "[]") && !strings.HasPrefix(s.Class, "jdk.internal.reflect.") &&
			(strings.HasSuffix(s.AllocatedBy, ".newInstance0") ||
				s.AllocatedBy == "jdk.internal.misc.Unsafe.allocateInstance" ||
				strings.HasPrefix(s.AllocatedBy, "jdk.internal.reflect.Generated"))
	}
	if s.Instruction != "invokedynamic" || !strings.HasPrefix(s.Called, "java.lang.invoke.") &&
		!concatenates(s.Called) || strings.HasPrefix(s.Called, "java.lang.invoke.MethodHandleNatives.") {
		return false // or linkage
	}
	switch s.Class {
	case "byte[]":
		return s.AllocatedBy == "jdk.internal.misc.Unsafe.allocateUninitializedArray0"
	case "java.lang.String":
		return concatenates(s.AllocatedBy)
	}
	return strings.Contains(s.Class, "$$Lambda") && s.AllocatedBy == "jdk.internal.misc.Unsafe.allocateInstance"
}

func concatenates(method string) bool {
	return strings.HasPrefix(method, "java.lang.StringConcatHelper") ||
		strings.HasPrefix(method, "java.lang.String$$StringConcat")
}
