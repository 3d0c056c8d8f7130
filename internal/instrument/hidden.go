package instrument

import (
	"bytes"
	"strings"

	"mallard/internal/bytecode"
	"mallard/internal/classfile"
)

// Allocations that no allocation bytecode shows are counted where a method is called that makes them, right after it has returned. This file
// has the table of such methods, which holds for JDK 17 to 25, and says which bytecodes must not be counted because the call is.

// An allocatingCall says what a call leaves on the stack that is new.
type allocatingCall uint8

const (
	noAllocatingCall allocatingCall = iota
	makesClone                      // an array of the class that the call names
	mayClone                        // an object, if its class inherits clone from Object: who overrides it calls it
	maySuperClone                   // an object, if the class that the call names does
	makesArray                      // an array of references
	makesObject                     // anything; the VM knows its size
	makesLambda                     // an object of a hidden class
	makesHandled                    // an object, unless the caller of the method handle counts it
	makesNested                     // an array of arrays, all levels new
	makesBacktrace                  // a Throwable's record of the stack
	makesString                     // a String, and its byte[] unless it shares another's
	copiesString                    // a String that shares its byte[]; told apart where nobody can give
	takesBytes                      // byte[] that were announced to give
	takesStrings                    // the same, each of them in a String
	makesHandles                    // a method handle of Array.newInstance, by whose name it asks
)

// allocatingCalls are the methods whose calls are counted. C2 has code of its own for most (vmIntrinsics.hpp), so their bodies, where they have any, may
// or may not run.
var allocatingCalls = map[reference]allocatingCall{
	// clone is the matter of allocatingCallAt.

	{"java/util/Arrays", "copyOf", "([Ljava/lang/Object;I)[Ljava/lang/Object;"}:                        makesArray,
	{"java/util/Arrays", "copyOf", "([Ljava/lang/Object;ILjava/lang/Class;)[Ljava/lang/Object;"}:       makesArray,
	{"java/util/Arrays", "copyOfRange", "([Ljava/lang/Object;II)[Ljava/lang/Object;"}:                  makesArray,
	{"java/util/Arrays", "copyOfRange", "([Ljava/lang/Object;IILjava/lang/Class;)[Ljava/lang/Object;"}: makesArray,

	{"java/lang/reflect/Array", "newInstance", "(Ljava/lang/Class;I)Ljava/lang/Object;"}:  makesObject,
	{"java/lang/reflect/Array", "newInstance", "(Ljava/lang/Class;[I)Ljava/lang/Object;"}: makesNested,

	{"java/lang/Class", "newInstance", "()Ljava/lang/Object;"}:                                           makesObject,
	{"java/lang/reflect/Constructor", "newInstance", "([Ljava/lang/Object;)Ljava/lang/Object;"}:          makesObject,
	{"jdk/internal/misc/Unsafe", "allocateInstance", "(Ljava/lang/Class;)Ljava/lang/Object;"}:            makesObject,
	{"sun/misc/Unsafe", "allocateInstance", "(Ljava/lang/Class;)Ljava/lang/Object;"}:                     makesObject,
	{"jdk/internal/misc/Unsafe", "allocateUninitializedArray", "(Ljava/lang/Class;I)Ljava/lang/Object;"}: makesObject,

	{"java/lang/Throwable", "fillInStackTrace", "(I)Ljava/lang/Throwable;"}: makesBacktrace,

	{concatHelper, "simpleConcat", "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/String;"}:             makesString,
	{concatHelper, "doConcat", "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;"}:                 makesString,
	{concatHelper, "concat", "(Ljava/lang/String;Ljava/lang/Object;Ljava/lang/String;)Ljava/lang/String;"}: makesString,
	{concatHelper, "newArray", "(J)[B"}: takesBytes,
	{concatHelper, "newArray", "(I)[B"}: takesBytes,
}

// bootstraps are the methods that link invokedynamic instructions which make something each time they are executed. Which makes what, findDynamic
// says.
var bootstraps = map[reference]bool{
	{"java/lang/invoke/LambdaMetafactory", "metafactory", ""}:               true,
	{"java/lang/invoke/LambdaMetafactory", "altMetafactory", ""}:            true,
	{"java/lang/invoke/StringConcatFactory", "makeConcat", ""}:              true,
	{"java/lang/invoke/StringConcatFactory", "makeConcatWithConstants", ""}: true,
	{"java/lang/runtime/ObjectMethods", "bootstrap", ""}:                    true,
}

// reference names a method; its descriptor is empty where the class has but one of the name.
type reference struct{ class, name, descriptor string }

// concatHelper has what concatenated strings are made with. It is called by method handles and, since JDK 24, by hidden classes, so its byte[]
// are announced in the thread's block (give) and fetched from there by the code that is counted (take).
const concatHelper = "java/lang/StringConcatHelper"

// concatClass has the hidden classes that concatenate strings since JDK 24.
const concatClass = "java/lang/String$$StringConcat"

// countedAtCall reports whether what a bytecode allocates, the method's first or not, or what an allocating call makes (call), is counted where the method around it is called.
func (w *rewriter) countedAtCall(method, allocated string, call, first bool) bool {
	switch class := w.result.Name; {
	case class == "java/util/Arrays":
		copies := method == "copyOf" || method == "copyOfRange"
		return copies && (allocated == "[Ljava/lang/Object;" || call && elementShift(allocated[1:]) < 0)
	case strings.HasPrefix(class, concatHelper):
		return call || allocated == "java/lang/String"
	case strings.HasPrefix(class, concatClass):
		return true
	case class == "sun/misc/Unsafe", class == "jdk/internal/reflect/BootstrapConstructorAccessorImpl":
		return call
	case class == "jdk/internal/misc/Unsafe":
		return method == "allocateUninitializedArray0"
	case strings.HasPrefix(class, "jdk/internal/reflect/GeneratedConstructorAccessor"), strings.HasPrefix(class, "jdk/internal/reflect/GeneratedSerializationConstructorAccessor"):
		// What is made for the caller comes first, and then exceptions about its making.
		return method == "newInstance" && first
	}
	return false
}

// gives reports whether a call makes a byte[] that take counts.
func (w *rewriter) gives(in bytecode.Instruction) bool {
	return w.result.Name == concatHelper && in.Op == bytecode.OpInvokevirtual && w.allocatingCalls[in.Pool()] == makesObject
}

// allocatingCallAt says what an instruction that calls makes.
func (w *rewriter) allocatingCallAt(in bytecode.Instruction) allocatingCall {
	switch in.Op {
	case bytecode.OpInvokespecial, bytecode.OpInvokestatic, bytecode.OpInvokevirtual, bytecode.OpInvokedynamic, bytecode.OpLdc, bytecode.OpLdcW:
	default:
		return noAllocatingCall
	}
	made := w.allocatingCalls[in.Pool()]
	if made == noAllocatingCall {
		return noAllocatingCall
	}
	if made == makesClone {
		return w.cloner(in)
	}
	return made
}

// cloner says what a call of clone makes. Of an array it is always Object's. Elsewhere Object's is protected: it is called as super.clone(), or in a
// class that inherits it.
func (w *rewriter) cloner(in bytecode.Instruction) allocatingCall {
	class, _, _, err := w.class.Pool.Ref(in.Pool())
	switch {
	case err != nil:
		return noAllocatingCall
	case in.Op == bytecode.OpInvokevirtual && dimensions(class) > 0:
		return makesClone
	case in.Op == bytecode.OpInvokevirtual:
		return mayClone
	case in.Op == bytecode.OpInvokespecial && class == "java/lang/Object":
		return makesObject
	case in.Op == bytecode.OpInvokespecial && w.class.Major >= ldcClassVersion:
		return maySuperClone
	}
	return noAllocatingCall
}

// ldcClassVersion is the first major version of class files in which ldc pushes classes.
const ldcClassVersion = 49

// made lists what the call at instruction i makes, by type.
func (w *rewriter) made(made allocatingCall, code *bytecode.Code, i int) ([]Site, error) {
	switch made {
	case makesClone:
		class, _, _, err := w.class.Pool.Ref(code.Insns[i].Pool())
		return []Site{{Kind: ArrayLen, Type: class}}, err
	case makesLambda:
		return []Site{{Kind: Called, Type: w.result.Name + "$$Lambda"}}, nil
	case makesString:
		return []Site{{Kind: Instance, Type: "java/lang/String"}, {Kind: ArrayLen, Type: "[B"}}, nil
	case copiesString:
		return []Site{{Kind: Instance, Type: "java/lang/String"}}, nil
	case takesBytes:
		return []Site{{Kind: ArrayLen, Type: "[B"}}, nil
	case takesStrings:
		return []Site{{Kind: ArrayLen, Type: "[B"}, {Kind: Instance, Type: "java/lang/String"}}, nil
	}
	// The type is what the code takes it for.
	site := Site{Kind: Called, Type: "java/lang/Object"}
	switch made {
	case makesNested, mayClone, maySuperClone, makesHandled, makesHandles:
		site.Kind = Multi
	case makesBacktrace:
		var sites []Site
		for _, part := range [...]string{"[Ljava/lang/Object;", "[S", "[I", "[J"} { // as the runtime class has them
			sites = append(sites, Site{Kind: Multi, Type: part})
		}
		return sites, nil
	case makesArray:
		site.Kind, site.Type = ArrayLen, "[Ljava/lang/Object;"
	}
	if next := i + 1; next < len(code.Insns) && code.Insns[next].Op == bytecode.OpCheckcast {
		class, err := w.class.Pool.ClassName(code.Insns[next].Pool())
		if err != nil {
			return nil, err
		}
		site.Type = class
	} else if code.Insns[i].Op == bytecode.OpInvokespecial {
		site.Type = w.result.Name // super.clone()
	}
	return []Site{site}, nil
}

// made gives the code that adds up what a call has made.
func (c *calls) made(made allocatingCall, number uint32, in bytecode.Instruction) (code []bytecode.Instruction, stack int, err error) {
	dup := bytecode.Insn(bytecode.OpDup)
	switch made {
	case makesString, takesBytes, takesStrings:
		if c.alone {
			method := concat
			if made == takesStrings {
				method = record
			}
			code, err = c.call(number, method, dup) // ..., string, string, number → ..., string
			return code, 2, err
		}
		code, err = c.call(number, take) // ..., number → ...
		return code, 1, err
	case makesClone:
		code, err = c.call(number, array, dup) // ..., object, object, number → ..., object
	case mayClone:
		code, err = c.call(number, cloned, dup) // ..., object, object, number → ..., object
	case maySuperClone:
		class, e := c.pool.RefClass(in.Pool())
		if e != nil {
			return nil, 0, e
		}
		code, err = c.call(number, superCloned, dup, bytecode.Ldc(class)) // ..., object, object, class, number → ..., object
		return code, 3, err
	case makesHandled:
		code, err = c.call(number, handled, dup) // ..., object, object, number → ..., object
	case makesBacktrace:
		code, err = c.call(number, backtrace, dup) // ..., throwable, throwable, number → ..., throwable
	case makesNested:
		code, err = c.call(number, nested, dup) // ..., object, object, number → ..., object
	case makesArray:
		return c.sum(number, "[Ljava/lang/Object;")
	case makesHandles:
		return c.arrays(number)
	default:
		code, err = c.call(number, object, dup) // ..., object, object, number → ..., object
	}
	return code, 2, err
}

// arrays puts a method of the runtime class, which counts, in the place of Array.newInstance, where class and name of that have been pushed.
func (c *calls) arrays(number uint32) (code []bytecode.Instruction, stack int, err error) {
	invoke, err := c.invoke(arrayMaker)
	if err != nil {
		return nil, 0, err
	}
	push, err := c.push(number)
	if err != nil {
		return nil, 0, err
	}
	name, err := c.pool.AddString(runtimeMethods[newArray].name)
	// ..., class, name → ..., number → ..., class of the runtime → ..., class, name
	return []bytecode.Instruction{bytecode.Insn(bytecode.OpPop2), push, invoke, c.ldc(name)}, 0, err
}

// findAllocatingCalls lists the constants of a class that allocating calls refer to. Most classes have none.
func (w *rewriter) findAllocatingCalls() {
	pool := w.class.Pool
	if !mentionsAllocatingCalls(pool) {
		return
	}
	w.allocatingCalls = map[classfile.PoolIndex]allocatingCall{}
	for i := classfile.PoolIndex(1); int(i) < pool.Len(); i++ {
		made := noAllocatingCall
		switch pool.Tag(i) {
		case classfile.TagMethodref:
			made = w.findAllocatingCall(i)
		case classfile.TagInvokeDynamic:
			made = w.findDynamic(i)
		case classfile.TagString:
			made = w.findHandle(i)
		default:
			continue
		}
		if made != noAllocatingCall {
			w.allocatingCalls[i] = made
			w.allocatingCallBytes = append(w.allocatingCallBytes, [2]byte{byte(i >> 8), byte(i)})
		}
	}
}

// mentionsAllocatingCalls reports whether a constant pool has the name of a method whose calls allocate.
func mentionsAllocatingCalls(pool *classfile.Pool) bool {
	for i := classfile.PoolIndex(1); int(i) < pool.Len(); i++ {
		if pool.Tag(i) != classfile.TagUtf8 {
			continue
		}
		s, _ := pool.Utf8(i)
		switch s {
		case "clone", "copyOf", "copyOfRange", "newInstance", "allocateInstance", "allocateUninitializedArray", concatHelper,
			"fillInStackTrace", "java/lang/invoke/LambdaMetafactory", "java/lang/invoke/StringConcatFactory", "java/lang/runtime/ObjectMethods":
			return true
		}
	}
	return false
}

func (w *rewriter) findAllocatingCall(i classfile.PoolIndex) allocatingCall {
	class, name, descriptor, err := w.class.Pool.Ref(i)
	switch {
	case err != nil:
		return noAllocatingCall
	case name == "clone" && descriptor == "()Ljava/lang/Object;":
		return makesClone
	case w.result.Name == "java/lang/invoke/DirectMethodHandle" && name == "allocateInstance":
		return makesHandled
	}
	return allocatingCalls[reference{class, name, descriptor}]
}

// findHandle finds the one name by which the JDK looks up Array.newInstance, for all method handles that make arrays. What these make is counted for the thread alone.
func (w *rewriter) findHandle(i classfile.PoolIndex) allocatingCall {
	if w.result.Name == "java/lang/invoke/MethodHandleImpl" && w.options.Contexts == NoContexts && !w.calls.alone {
		if name, err := w.class.Pool.StringValue(i); err == nil && name == "newInstance" {
			return makesHandles
		}
	}
	return noAllocatingCall
}

// findDynamic says what an invokedynamic instruction makes.
func (w *rewriter) findDynamic(i classfile.PoolIndex) allocatingCall {
	pool := w.class.Pool
	n, name, descriptor, err := pool.Dynamic(i)
	methods := w.bootstrapMethods()
	if err != nil || n >= len(methods) {
		return noAllocatingCall
	}
	_, method, err := pool.MethodHandle(methods[n].Handle)
	if err != nil {
		return noAllocatingCall
	}
	class, bootstrap, _, err := pool.Ref(method)
	if err != nil || !bootstraps[reference{class, bootstrap, ""}] {
		return noAllocatingCall
	}
	parameters, _, err := classfile.SplitMethodDescriptor(descriptor)
	switch {
	case err != nil || len(parameters) == 0:
		return noAllocatingCall // a lambda that captures nothing is made once, when it is linked
	case strings.HasSuffix(class, "LambdaMetafactory"):
		return makesLambda
	case strings.HasSuffix(class, "ObjectMethods"):
		if name == "toString" {
			return takesStrings
		}
		return noAllocatingCall
	case len(parameters) == 1 && strings.Contains("ZBSCIJFD", parameters[0]) && !w.hasConstants(methods[n].Arguments):
		return noAllocatingCall // String.valueOf does it, in bytecode
	case w.calls.alone && len(parameters) == 1 && !w.hasConstants(methods[n].Arguments):
		return copiesString
	}
	return makesString
}

// hasConstants reports whether a recipe of StringConcatFactory says more than "the argument".
func (w *rewriter) hasConstants(arguments []classfile.PoolIndex) bool {
	if len(arguments) == 0 {
		return false
	}
	recipe, err := w.class.Pool.StringValue(arguments[0])
	return err != nil || recipe != "\x01"
}

func (w *rewriter) bootstrapMethods() []classfile.BootstrapMethod {
	if w.bootstraps == nil {
		w.bootstraps = []classfile.BootstrapMethod{}
		if a := w.class.Pool.FindAttribute(w.class.Attributes, classfile.AttrBootstrapMethods); a != nil {
			if decoded, err := classfile.DecodeInfo[classfile.BootstrapMethods](a.Info); err == nil {
				w.bootstraps = decoded.Methods
			}
		}
	}
	return w.bootstraps
}

// mayCall is false for code without allocating calls.
func (w *rewriter) mayCall(code []byte) bool {
	for _, i := range w.allocatingCallBytes {
		if bytes.Contains(code, i[:]) {
			return true
		}
	}
	return false
}
