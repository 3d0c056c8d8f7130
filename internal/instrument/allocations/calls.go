package allocations

import (
	"bytes"

	"mallard/internal/bytecode"
	"mallard/internal/classfile"
)

// Options says what the code that counts can do.
type Options struct {
	NamesCallers    bool // calls of method handles, and by reflection, say where what they make is counted
	MadeAside       bool // what calls make, where the code does not tell its class, is on no path
	MeasuresStrings bool // strings that were concatenated are measured as they are
	FindsChains     bool // nothing is stored between calls, so that C2 replaces chains
	SeesBodies      bool // bodies say that they have run, where a compiler may have replaced them
	MarksStrings    bool // strings say whether arrays that they have are deferred, or another's
	OwnsArrays      bool // and others are not deferred
	SeesStops       bool // where virtual threads stop, what their stacks are put into is counted in contexts
}

// calls knows the allocating calls of a class. Most classes have none.
type calls struct {
	class   *classfile.Class
	name    string                       // internal form
	made    map[classfile.PoolIndex]Call // what calls of these constants make
	indexes [][2]byte                    // of the constants, as they stand in code

	options Options
}

// findCalls lists the constants of a class that allocating calls refer to.
func findCalls(class *classfile.Class, name string, o Options) *calls {
	c := &calls{class: class, name: name, options: o}
	pool := class.Pool
	if !mentionsCalls(pool) {
		return c
	}
	c.made = map[classfile.PoolIndex]Call{}
	dynamic := dynamic{class: class, measuresStrings: o.MeasuresStrings}
	for i := classfile.PoolIndex(1); int(i) < pool.Len(); i++ {
		made := NoCall
		switch pool.Tag(i) {
		case classfile.TagMethodref:
			made = c.ofMethod(i)
		case classfile.TagInvokeDynamic:
			made = dynamic.makes(i)
		default:
			continue
		}
		if made != NoCall {
			c.made[i] = made
			c.indexes = append(c.indexes, [2]byte{byte(i >> 8), byte(i)})
		}
	}
	return c
}

// mentionsCalls reports whether a constant pool has the name of a method whose calls allocate, or that of its
// class: without, the pool need not be looked through for more than that.
func mentionsCalls(pool *classfile.Pool) bool {
	for i := classfile.PoolIndex(1); int(i) < pool.Len(); i++ {
		if pool.Tag(i) != classfile.TagUtf8 {
			continue
		}
		s, _ := pool.Utf8(i)
		switch s {
		case "clone", "copyOf", "copyOfRange", "newInstance", "allocateInstance", "allocateUninitializedArray",
			concatHelper, "toBytes", quicksort, "implMultiplyToLen", "loadClass",
			"getDeclaredMethods0", "getDeclaredConstructors0", "getDeclaredFields0", "getUTF8At0", "getInterfaces0",
			"getRawAnnotations", "vmProperties", "platformProperties",
			"getStackAccessControlContext", yieldContinuation,
			"java/lang/reflect/Array", "invoke0", handleClass, "java/lang/reflect/Method",
			"fillInStackTrace", lambdaFactory, concatFactory, "made",
			"java/lang/runtime/ObjectMethods":
			return true
		}
	}
	return false
}

// ofMethod says what calls of a method make.
func (c *calls) ofMethod(i classfile.PoolIndex) Call {
	class, name, descriptor, err := c.class.Pool.Ref(i)
	switch {
	case err != nil:
		return NoCall
	case name == "clone" && descriptor == "()Ljava/lang/Object;":
		return MakesClone
	case name == "loadClass" && descriptor == LoadClass:
		if !c.options.SeesBodies {
			return NoCall
		}
		return NamesClass
	case c.name == "java/lang/invoke/DirectMethodHandle" && name == "allocateInstance":
		return MakesHandled
	case class == handleClass && constructsHidden(c.name, name):
		return MakesObject
	}
	if class == handleClass || class == "java/lang/reflect/Method" || class == concatFactory || class == lambdaFactory {
		descriptor = ""
	}
	made := methods[reference{class, name, descriptor}]
	switch made {
	case MakesReplaced, MakesFresh, MakesInvoked, MakesMembers, MakesReturned:
		if !c.options.SeesBodies {
			return NoCall
		}
	case LinksConcat, LinksLambda:
		if c.name == recordClass && c.options.MarksStrings {
			return LinksRecord
		}
		if !c.options.SeesBodies || callsForOthers(c.name) {
			return NoCall
		}
	case Stops:
		if !c.options.SeesStops {
			return NoCall
		}
	case CallsHandle:
		if !c.options.NamesCallers || callsForOthers(c.name) {
			return NoCall
		}
	case MakesArray, MakesObject:
		if c.options.SeesBodies && CountsForCallers(c.name) {
			return MakesForCaller
		}
	}
	return made
}

// mayBeIn is false for code without allocating calls.
func (c *calls) mayBeIn(code []byte) bool {
	for _, i := range c.indexes {
		if bytes.Contains(code, i[:]) {
			return true
		}
	}
	return false
}

// at says what an instruction that calls makes.
func (c *calls) at(in bytecode.Instruction) Call {
	switch in.Op {
	case bytecode.OpInvokespecial, bytecode.OpInvokestatic, bytecode.OpInvokevirtual, bytecode.OpInvokedynamic:
	default:
		return NoCall
	}
	made := c.made[in.Pool()]
	if made == NoCall {
		return NoCall
	}
	if made == MakesClone {
		return cloneAt(c.class, in)
	}
	return made
}
