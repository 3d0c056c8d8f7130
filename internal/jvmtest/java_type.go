package jvmtest

import (
	"maps"
	"slices"
	"strings"
)

var primitives = map[string]string{"Z": "boolean", "B": "byte", "C": "char", "S": "short", "I": "int", "J": "long",
	"F": "float", "D": "double"}

func isPrimitive(name string) bool {
	return slices.Contains(slices.Collect(maps.Values(primitives)), name)
}

// JavaType turns what Class.getName prints into what Java writes: [[I is int[][], [Ljava.lang.String; is
// java.lang.String[]. Names of classes stay as they are.
func JavaType(name string) string {
	element := strings.TrimLeft(name, "[")
	dimensions := len(name) - len(element)
	if dimensions == 0 {
		return name
	}
	if primitive, ok := primitives[element]; ok {
		element = primitive
	} else {
		element = strings.TrimSuffix(strings.TrimPrefix(element, "L"), ";")
	}
	return element + strings.Repeat("[]", dimensions)
}
