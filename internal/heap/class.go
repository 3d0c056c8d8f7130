package heap

import (
	"encoding/binary"
	"strings"

	"mallard/internal/abi"
	"mallard/internal/profile"
	"mallard/internal/symbols"
)

// Class is a class by the name that it has in Java's words. Classes of one name are one: the recording does not say who
// loaded them. Where a History tells sites apart it is the objects of such a class that one site has made, or those of
// which no site is known.
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
	tagged   func(tag uint32) profile.Made // nil: sites are not told apart
	anyTag   bool                          // some objects are tagged
	fillers  bool                          // the JVM fills unused memory with classes of its own
	names    []string                      // by Class
	made     []profile.Made                // by Class
	unsited  []Class                       // by Class: that of the same name without a site; Other: there is none
	known    map[madeBy]Class
	byNumber map[uint32]Class
	recorded map[uint32]string // names in the recording, by number
	bytes    map[uint32]uint32 // by number: of an object; 0: they differ
}

// madeBy is a class as the recording names it, and what has made its objects.
type madeBy struct {
	class string
	profile.Made
}

// unknown is what has made objects of which that is not known.
var unknown = profile.Made{Context: profile.NoContext}

func newClasses(tagged func(tag uint32) profile.Made) *classes {
	return &classes{tagged: tagged, names: []string{Other: "(other)", Unused: "(unused)"},
		made: []profile.Made{unknown, unknown}, unsited: make([]Class, 2), known: map[madeBy]Class{},
		byNumber: map[uint32]Class{abi.HeapOthers: Other, abi.HeapUnused: Unused}, recorded: map[uint32]string{},
		bytes: map[uint32]uint32{}}
}

// of gives the class of a name and a site.
func (c *classes) of(m madeBy) Class {
	class, known := c.known[m]
	if known {
		return class
	}
	unsited := Other
	if m.Site != nil {
		unsited = c.of(madeBy{m.class, unknown})
	}
	class = Class(len(c.names))
	c.names = append(c.names, JavaName(m.class))
	c.made = append(c.made, m.Made)
	c.unsited = append(c.unsited, unsited)
	c.known[m] = class
	return class
}

// JavaName is what Class.getName gives, but for arrays, which are as Java writes them. In the JVM's names of hidden
// classes a plus stands in front of their number.
func JavaName(name string) string {
	java := symbols.TypeName(name)
	if i := strings.LastIndexByte(java, '+'); i >= 0 && strings.HasPrefix(java[i:], "+0x") {
		return java[:i] + "/" + java[i+1:]
	}
	return java
}

// mayBeUnused reports whether a class's objects may be what the JVM has filled unused memory with. What is tagged is
// none of it.
func (c *classes) mayBeUnused(class Class) bool {
	return class == Unused || !c.fillers && c.names[class] == "int[]" && c.made[class].Site == nil
}

// define takes an event; what is damaged, or has been defined, changes nothing.
func (c *classes) define(data []byte) (good bool) {
	if len(data) < abi.HeapClassName {
		return false
	}
	word := func(at int) uint32 { return binary.LittleEndian.Uint32(data[at:]) }
	number, tag := word(abi.HeapClassNumber), word(abi.HeapClassTag)
	if _, known := c.byNumber[number]; known {
		return false
	}
	name := string(data[abi.HeapClassName:])
	if same := word(abi.HeapClassSame); same != 0 {
		name = c.recorded[same]
	}
	if name == "" {
		return false
	}
	c.recorded[number] = name
	c.bytes[number] = word(abi.HeapClassBytes)
	if fillers[name] {
		c.byNumber[number], c.fillers = Unused, true
		return true
	}
	made := madeBy{name, unknown}
	c.anyTag = c.anyTag || tag != 0
	if tag != 0 && tag != abi.TagOthers && c.tagged != nil {
		made.Made = c.tagged(tag)
	}
	c.byNumber[number] = c.of(made)
	return true
}
