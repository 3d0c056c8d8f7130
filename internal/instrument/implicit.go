package instrument

import (
	"bytes"
	"strings"

	"mallard/internal/bytecode"
	"mallard/internal/classfile"
	"mallard/internal/instrument/emit"
)

// Allocations that no allocation bytecode shows are counted where a method is called that makes them, right after it
// has returned. This file has the table of such methods, which holds for JDK 17 to 25, and says which bytecodes must
// not be counted because the call is.

// allocatingCalls are the methods whose calls are counted. C2 has code of its own for most (vmIntrinsics.hpp), so
// their bodies, where they have any, may or may not run.
var allocatingCalls = map[reference]emit.AllocatingCall{
	// clone is the matter of allocatingCallAt.

	{"java/util/Arrays", "copyOf", "([Ljava/lang/Object;I)[Ljava/lang/Object;"}:                        emit.MakesArray,
	{"java/util/Arrays", "copyOf", "([Ljava/lang/Object;ILjava/lang/Class;)[Ljava/lang/Object;"}:       emit.MakesArray,
	{"java/util/Arrays", "copyOfRange", "([Ljava/lang/Object;II)[Ljava/lang/Object;"}:                  emit.MakesArray,
	{"java/util/Arrays", "copyOfRange", "([Ljava/lang/Object;IILjava/lang/Class;)[Ljava/lang/Object;"}: emit.MakesArray,

	{"java/lang/reflect/Array", "newInstance", "(Ljava/lang/Class;I)Ljava/lang/Object;"}:  emit.MakesObject,
	{"java/lang/reflect/Array", "newInstance", "(Ljava/lang/Class;[I)Ljava/lang/Object;"}: emit.MakesNested,

	{"java/lang/Class", "newInstance",
		"()Ljava/lang/Object;"}: emit.MakesObject,
	{"java/lang/reflect/Constructor", "newInstance",
		"([Ljava/lang/Object;)Ljava/lang/Object;"}: emit.MakesObject,
	{"jdk/internal/misc/Unsafe", "allocateInstance",
		"(Ljava/lang/Class;)Ljava/lang/Object;"}: emit.MakesObject,
	{"sun/misc/Unsafe", "allocateInstance",
		"(Ljava/lang/Class;)Ljava/lang/Object;"}: emit.MakesObject,
	{"jdk/internal/misc/Unsafe", "allocateUninitializedArray",
		"(Ljava/lang/Class;I)Ljava/lang/Object;"}: emit.MakesObject,

	{"java/lang/Throwable", "fillInStackTrace", "(I)Ljava/lang/Throwable;"}: emit.MakesBacktrace,

	{concatHelper, "simpleConcat",
		"(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/String;"}: emit.MakesString,
	{concatHelper, "doConcat",
		"(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;"}: emit.MakesString,
	{concatHelper, "concat",
		"(Ljava/lang/String;Ljava/lang/Object;Ljava/lang/String;)Ljava/lang/String;"}: emit.MakesString,
	{concatHelper, "newArray", "(J)[B"}: emit.TakesBytes,
	{concatHelper, "newArray", "(I)[B"}: emit.TakesBytes,
}

// bootstraps are the methods that link invokedynamic instructions which make something each time they are executed.
// Which makes what, findDynamic says.
var bootstraps = map[reference]bool{
	{"java/lang/invoke/LambdaMetafactory", "metafactory", ""}:               true,
	{"java/lang/invoke/LambdaMetafactory", "altMetafactory", ""}:            true,
	{"java/lang/invoke/StringConcatFactory", "makeConcat", ""}:              true,
	{"java/lang/invoke/StringConcatFactory", "makeConcatWithConstants", ""}: true,
	{"java/lang/runtime/ObjectMethods", "bootstrap", ""}:                    true,
}

// reference names a method; its descriptor is empty where the class has but one of the name.
type reference struct{ class, name, descriptor string }

// concatHelper has what concatenated strings are made with. It is called by method handles and, since JDK 24, by
// hidden classes, so its byte[] are announced in the thread's block (give) and fetched from there by the code that is
// counted (take).
const concatHelper = "java/lang/StringConcatHelper"

// concatClass has the hidden classes that concatenate strings since JDK 24.
const concatClass = "java/lang/String$$StringConcat"

// countedAtCall reports whether what a bytecode allocates, the method's first or not, or what an allocating call
// makes (call), is counted where the method around it is called.
func (w *rewriter) countedAtCall(method, allocated string, call, first bool) bool {
	switch class := w.result.Name; {
	case class == "java/util/Arrays":
		copies := method == "copyOf" || method == "copyOfRange"
		return copies && (allocated == "[Ljava/lang/Object;" || call && emit.ElementShift(allocated[1:]) < 0)
	case strings.HasPrefix(class, concatHelper):
		return call || allocated == "java/lang/String"
	case strings.HasPrefix(class, concatClass):
		return true
	case class == "sun/misc/Unsafe", class == "jdk/internal/reflect/BootstrapConstructorAccessorImpl":
		return call
	case class == "jdk/internal/misc/Unsafe":
		return method == "allocateUninitializedArray0"
	case strings.HasPrefix(class, "jdk/internal/reflect/GeneratedConstructorAccessor"), strings.HasPrefix(class,
		"jdk/internal/reflect/GeneratedSerializationConstructorAccessor"):
		// What is made for the caller comes first, and then exceptions about its making.
		return method == "newInstance" && first
	}
	return false
}

// gives reports whether a call makes a byte[] that take counts.
func (w *rewriter) gives(in bytecode.Instruction) bool {
	return w.result.Name == concatHelper && in.Op == bytecode.OpInvokevirtual &&
		w.allocatingCalls[in.Pool()] == emit.MakesObject
}

// allocatingCallAt says what an instruction that calls makes.
func (w *rewriter) allocatingCallAt(in bytecode.Instruction) emit.AllocatingCall {
	switch in.Op {
	case bytecode.OpInvokespecial, bytecode.OpInvokestatic, bytecode.OpInvokevirtual, bytecode.OpInvokedynamic,
		bytecode.OpLdc, bytecode.OpLdcW:
	default:
		return emit.NoAllocatingCall
	}
	made := w.allocatingCalls[in.Pool()]
	if made == emit.NoAllocatingCall {
		return emit.NoAllocatingCall
	}
	if made == emit.MakesClone {
		return w.cloner(in)
	}
	return made
}

// cloner says what a call of clone makes. Of an array it is always Object's. Elsewhere Object's is protected: it is
// called as super.clone(), or in a class that inherits it.
func (w *rewriter) cloner(in bytecode.Instruction) emit.AllocatingCall {
	class, _, _, err := w.class.Pool.Ref(in.Pool())
	switch {
	case err != nil:
		return emit.NoAllocatingCall
	case in.Op == bytecode.OpInvokevirtual && dimensions(class) > 0:
		return emit.MakesClone
	case in.Op == bytecode.OpInvokevirtual:
		return emit.MayClone
	case in.Op == bytecode.OpInvokespecial && class == "java/lang/Object":
		return emit.MakesObject
	case in.Op == bytecode.OpInvokespecial && w.class.Major >= ldcClassVersion:
		return emit.MaySuperClone
	}
	return emit.NoAllocatingCall
}

// ldcClassVersion is the first major version of class files in which ldc pushes classes.
const ldcClassVersion = 49

// made lists what the call at instruction i makes, by type.
func (w *rewriter) made(made emit.AllocatingCall, code *bytecode.Code, i int) ([]Site, error) {
	switch made {
	case emit.MakesClone:
		class, _, _, err := w.class.Pool.Ref(code.Insns[i].Pool())
		return []Site{{Kind: ArrayLen, Type: class}}, err
	case emit.MakesLambda:
		return []Site{{Kind: Called, Type: w.result.Name + "$$Lambda"}}, nil
	case emit.MakesString:
		return []Site{{Kind: Instance, Type: "java/lang/String"}, {Kind: ArrayLen, Type: "[B"}}, nil
	case emit.CopiesString:
		return []Site{{Kind: Instance, Type: "java/lang/String"}}, nil
	case emit.TakesBytes:
		return []Site{{Kind: ArrayLen, Type: "[B"}}, nil
	case emit.TakesStrings:
		return []Site{{Kind: ArrayLen, Type: "[B"}, {Kind: Instance, Type: "java/lang/String"}}, nil
	}
	// The type is what the code takes it for.
	site := Site{Kind: Called, Type: "java/lang/Object"}
	switch made {
	case emit.MakesNested, emit.MayClone, emit.MaySuperClone, emit.MakesHandled, emit.MakesHandles:
		site.Kind = Multi
	case emit.MakesBacktrace:
		var sites []Site
		for _, part := range [...]string{"[Ljava/lang/Object;", "[S", "[I", "[J"} { // as the runtime class has them
			sites = append(sites, Site{Kind: Multi, Type: part})
		}
		return sites, nil
	case emit.MakesArray:
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

// findAllocatingCalls lists the constants of a class that allocating calls refer to. Most classes have none.
func (w *rewriter) findAllocatingCalls() {
	pool := w.class.Pool
	if !mentionsAllocatingCalls(pool) {
		return
	}
	w.allocatingCalls = map[classfile.PoolIndex]emit.AllocatingCall{}
	for i := classfile.PoolIndex(1); int(i) < pool.Len(); i++ {
		made := emit.NoAllocatingCall
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
		if made != emit.NoAllocatingCall {
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
		case "clone", "copyOf", "copyOfRange", "newInstance", "allocateInstance", "allocateUninitializedArray",
			concatHelper,
			"fillInStackTrace", "java/lang/invoke/LambdaMetafactory", "java/lang/invoke/StringConcatFactory",
			"java/lang/runtime/ObjectMethods":
			return true
		}
	}
	return false
}

func (w *rewriter) findAllocatingCall(i classfile.PoolIndex) emit.AllocatingCall {
	class, name, descriptor, err := w.class.Pool.Ref(i)
	switch {
	case err != nil:
		return emit.NoAllocatingCall
	case name == "clone" && descriptor == "()Ljava/lang/Object;":
		return emit.MakesClone
	case w.result.Name == "java/lang/invoke/DirectMethodHandle" && name == "allocateInstance":
		return emit.MakesHandled
	}
	return allocatingCalls[reference{class, name, descriptor}]
}

// findHandle finds the one name by which the JDK looks up Array.newInstance, for all method handles that make arrays.
// What these make is counted for the thread alone.
func (w *rewriter) findHandle(i classfile.PoolIndex) emit.AllocatingCall {
	if w.result.Name == "java/lang/invoke/MethodHandleImpl" && w.traits.CountsHandles {
		if name, err := w.class.Pool.StringValue(i); err == nil && name == "newInstance" {
			return emit.MakesHandles
		}
	}
	return emit.NoAllocatingCall
}

// findDynamic says what an invokedynamic instruction makes.
func (w *rewriter) findDynamic(i classfile.PoolIndex) emit.AllocatingCall {
	pool := w.class.Pool
	n, name, descriptor, err := pool.Dynamic(i)
	methods := w.bootstrapMethods()
	if err != nil || n >= len(methods) {
		return emit.NoAllocatingCall
	}
	_, method, err := pool.MethodHandle(methods[n].Handle)
	if err != nil {
		return emit.NoAllocatingCall
	}
	class, bootstrap, _, err := pool.Ref(method)
	if err != nil || !bootstraps[reference{class, bootstrap, ""}] {
		return emit.NoAllocatingCall
	}
	parameters, _, err := classfile.SplitMethodDescriptor(descriptor)
	switch {
	case err != nil || len(parameters) == 0:
		return emit.NoAllocatingCall // a lambda that captures nothing is made once, when it is linked
	case strings.HasSuffix(class, "LambdaMetafactory"):
		return emit.MakesLambda
	case strings.HasSuffix(class, "ObjectMethods"):
		if name == "toString" {
			return emit.TakesStrings
		}
		return emit.NoAllocatingCall
	case len(parameters) == 1 && strings.Contains("ZBSCIJFD", parameters[0]) && !w.hasConstants(methods[n].Arguments):
		return emit.NoAllocatingCall // String.valueOf does it, in bytecode
	case w.traits.MeasuresStrings && len(parameters) == 1 && !w.hasConstants(methods[n].Arguments):
		return emit.CopiesString
	}
	return emit.MakesString
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
