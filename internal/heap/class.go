package heap

import (
	"encoding/binary"
	"strings"

	"mallard/internal/abi"
	"mallard/internal/symbols"
)

// Class is a class by the name that it has in Java's words. Classes of one name are one: the recording does not say who
// loaded them.
type Class int32

// What is no class of the program's.
const (
	Other  Class = iota // all classes that there were no numbers for
	Unused              // memory that the JVM has filled, since nothing may be between objects
)

// fillers are the classes of what the JVM fills unused memory with, from JDK FillersNamed on.
var fillers = map[string]bool{
	"[Ljdk/internal/vm/FillerElement;": true,
	"jdk/internal/vm/FillerArray":      true,
	"jdk/internal/vm/FillerObject":     true,
}

// FillersNamed is the JDK from which on unused memory can be told from objects; before it is int[].
const FillersNamed = 19

// classes are those that a recording names, by their numbers in it.
type classes struct {
	names    []string         // by Class
	byName   map[string]Class // as the recording has it
	byNumber map[uint32]Class
}

func newClasses() *classes {
	return &classes{names: []string{Other: "(other)", Unused: "(unused)"}, byName: map[string]Class{},
		byNumber: map[uint32]Class{abi.HeapOthers: Other, abi.HeapUnused: Unused}}
}

// javaName is what Class.getName gives, but for arrays, which are as Java writes them. In the JVM's names of hidden
// classes a plus stands in front of their number.
func javaName(name string) string {
	java := symbols.TypeName(name)
	if i := strings.LastIndexByte(java, '+'); i >= 0 && strings.HasPrefix(java[i:], "+0x") {
		return java[:i] + "/" + java[i+1:]
	}
	return java
}

// define takes an event; what is damaged, or has been defined, changes nothing.
func (c *classes) define(data []byte) (good bool) {
	if len(data) <= abi.HeapClassName {
		return false
	}
	number := binary.LittleEndian.Uint32(data[abi.HeapClassNumber:])
	if _, known := c.byNumber[number]; known {
		return false
	}
	name := string(data[abi.HeapClassName:])
	class, known := c.byName[name]
	switch {
	case fillers[name]:
		class = Unused
	case !known:
		class = Class(len(c.names))
		c.names = append(c.names, javaName(name))
		c.byName[name] = class
	}
	c.byNumber[number] = class
	return true
}
