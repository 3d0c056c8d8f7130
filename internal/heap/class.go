package heap

import (
	"bytes"
	"encoding/binary"
	"strings"

	"mallard/internal/abi"
	"mallard/internal/profile"
	"mallard/internal/symbols"
)

// Class is a class by the name that it has in Java's words, and its loader. Where a History tells sites apart it is the
// objects of such a class that one site has made, or those of which no site is known.
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
	tagged  Tagged          // nil: sites are not told apart
	anyTag  bool            // some objects are tagged
	fillers bool            // the JVM fills unused memory with classes of its own
	names   []string        // by Class
	loader  []Loader        // by Class
	made    []profile.Made  // by Class
	unsited []Class         // by Class: that of the same name without a site; Other: there is none
	implied map[Class]Class // by a class without a site: that of the site that gives no tags
	known   map[madeBy]Class

	anyLoader   bool // of some classes it is known
	loaderTitle LoaderTitle
	byLoader    byLoaders
	firstOf     map[string]Loader // by name
	several     map[string]bool   // names that have several
	pattern     string            // where all of a loader, or of all, are one
}

// madeBy is a class as the recording names it, and what has made its objects.
type madeBy struct {
	class  string
	loader Loader
	profile.Made
}

// unknown is what has made objects of which that is not known.
var unknown = profile.Made{Context: profile.NoContext}

// Tagged gives what has made objects with a tag, the same each time.
type Tagged func(tag uint32) profile.Made

func newClasses(tagged Tagged) *classes {
	return &classes{tagged: tagged, names: []string{Other: "(other)", Unused: "(unused)"},
		loader: []Loader{NoLoader, NoLoader}, loaderTitle: loaderNumbered,
		firstOf: map[string]Loader{}, several: map[string]bool{},
		made: []profile.Made{unknown, unknown}, unsited: make([]Class, 2), implied: map[Class]Class{},
		known: map[madeBy]Class{}}
}

// anew is for another history of the same recording.
func (c *classes) anew(tagged Tagged, by byLoaders) *classes {
	other := newClasses(tagged)
	other.byLoader, other.loaderTitle = by, c.loaderTitle
	return other
}

// of gives the class of a name, a loader and a site.
func (c *classes) of(m madeBy) Class {
	class, known := c.known[m]
	if known {
		return class
	}
	unsited := Other
	if m.Made != unknown {
		unsited = c.of(madeBy{m.class, m.loader, unknown})
	}
	class = Class(len(c.names))
	name := JavaName(m.class)
	switch {
	case m.class != "":
	case c.byLoader == alone:
		name, _ = c.loaderTitle.title("", m.loader)
	case c.byLoader == neither:
		name = threadTitle(m.Thread)
	}
	c.names = append(c.names, name)
	c.loader = append(c.loader, m.loader)
	if c.byLoader == apart {
		c.noteLoader(name, m.loader)
	}
	c.made = append(c.made, m.Made)
	c.unsited = append(c.unsited, unsited)
	c.known[m] = class
	return class
}

// noteLoader has a class of the name have a loader.
func (c *classes) noteLoader(name string, l Loader) {
	if first, known := c.firstOf[name]; !known {
		c.firstOf[name] = l
	} else if first != l {
		c.several[name] = true
	}
}

// whole is what stands for the classes of a loader, or of all: for those that are asked for or the others.
func (c *classes) whole(name string, loader Loader) madeBy {
	m := madeBy{loader: loader, Made: unknown}
	if c.byLoader == neither {
		m.loader = NoLoader
	}
	if !profile.MatchName(c.pattern, name) {
		m.class = leftOut
	}
	return m
}

// threadTitle names a thread, known or not.
func threadTitle(title string) string {
	if title == "" {
		return "(unknown)"
	}
	return title
}

// leftOut is what classes that are not asked for are called together.
const leftOut = "(others)"

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
	return class == Unused || !c.fillers && c.names[class] == "int[]" && c.made[class] == unknown
}

// Identity is what a number of a class stands for.
type Identity struct {
	Name   string // the JVM's
	Loader Loader
	Tag    uint32 // of its objects; 0: they have none
}

// Definition is what an event says of a class.
type Definition struct {
	Number uint32
	Tag    uint32 // of its objects; 0: they have none
	Same   uint32 // number of the class that has the same name; 0: Name has it

	Name string // the JVM's

	bytes uint32 // of an object; 0: they differ
}

// DecodeDefinition returns false for what is damaged.
func DecodeDefinition(data []byte) (d Definition, good bool) {
	if len(data) < abi.HeapClassName {
		return Definition{}, false
	}
	word := func(at int) uint32 { return binary.LittleEndian.Uint32(data[at:]) }
	return Definition{Number: word(abi.HeapClassNumber), Tag: word(abi.HeapClassTag), Same: word(abi.HeapClassSame),
		Name: string(data[abi.HeapClassName:]), bytes: word(abi.HeapClassBytes)}, true
}

// Turned is an event of a class whose tag has its turn, as that says.
func Turned(data []byte, turned func(tag uint32) uint32) []byte {
	if len(data) < abi.HeapClassName {
		return data
	}
	data = bytes.Clone(data)
	field := data[abi.HeapClassTag:]
	binary.LittleEndian.PutUint32(field, turned(binary.LittleEndian.Uint32(field)))
	return data
}

// defined gives the class of what the recording defines.
func (c *classes) defined(name string, loader Loader, tag uint32) Class {
	c.anyLoader = c.anyLoader || loader != NoLoader
	if fillers[name] {
		c.fillers = true
		return Unused
	}
	c.anyTag = c.anyTag || tag != 0
	return c.of(c.distinct(Identity{name, loader, tag}))
}

// distinct is what there is in this history of what the recording defines.
func (c *classes) distinct(is Identity) madeBy {
	made := madeBy{is.Name, is.Loader, unknown}
	switch c.byLoader {
	case apart:
	case ignored:
		made.loader = NoLoader
	default:
		made = c.whole(JavaName(is.Name), made.loader)
	}
	if tag := is.Tag & abi.TagOthers; tag != 0 && tag != abi.TagNone && c.tagged != nil {
		made.Made = c.tagged(is.Tag)
	}
	return made
}

// imply has a class's site give no tags. Where sites are not told apart that changes nothing.
func (c *classes) imply(class Class) {
	if c.made[class] != unknown {
		c.implied[c.unsited[class]] = class
	}
}
