package emit

import (
	"strings"

	"mallard/internal/bytecode"
	"mallard/internal/classfile"
	"mallard/internal/instrument/allocations"
)

const (
	ThreadClass        = "java/lang/Thread"
	StringClass        = "java/lang/String"
	ClassClass         = "java/lang/Class"
	VirtualThreadClass = "java/lang/VirtualThread"
	threadStartEvent   = "jdk/internal/event/VirtualThreadStartEvent"
	boundThreadClass   = "java/lang/ThreadBuilders$BoundVirtualThread"
	ContinuationClass  = "jdk/internal/vm/Continuation"
	// ThreadContinuationClass is of the continuations that virtual threads stand on.
	ThreadContinuationClass = "java/lang/VirtualThread$VThreadContinuation"
	handleClass             = "java/lang/invoke/DirectMethodHandle"
	MemberClass             = "java/lang/invoke/MemberName"
	filterClass             = "jdk/internal/reflect/Reflection"
	linkerClass             = "java/lang/invoke/MethodHandleNatives"
	linksConstants          = "linkMethodHandleConstant"
	reflectionClass         = "jdk/internal/reflect/DirectConstructorHandleAccessor"

	// The constructors that the VM calls in a thread that is attaching (JavaThread::allocate_threadObj).
	attachedNamed    = "(Ljava/lang/ThreadGroup;Ljava/lang/String;)V"
	attachedNameless = "(Ljava/lang/ThreadGroup;Ljava/lang/Runnable;)V"

	// this, loader, lookup, name, bytes, domain, initialize, flags, data
	defineHidden = "(Ljava/lang/ClassLoader;Ljava/lang/Class;Ljava/lang/String;[BLjava/security/ProtectionDomain;ZI" +
		"Ljava/lang/Object;)Ljava/lang/Class;"
	hiddenBytes = 4 // their local variable
)

// isAttaching reports whether a constructor of Thread is one that the VM calls in a thread that is attaching.
func isAttaching(descriptor string) bool {
	return descriptor == attachedNamed || descriptor == attachedNameless
}

// linkers are the methods of MethodHandleNatives that the JVM calls, and nobody else, to link instructions and
// constants. All are static.
var linkers = map[string]bool{linksConstants: true, "linkCallSite": true, "linkDynamicConstant": true,
	"linkMethod": true, "findMethodHandleType": true}

// FirstHook is the method of the runtime class that a method of the JDK calls first thing: Thread.start, whose first
// call ends the time of a single thread; what the VM calls in threads that have no block yet; VirtualThread.mount,
// which gives it a block, and VirtualThread.afterTerminate, which takes that back; what runs when a thread has started,
// virtual ones included (Thread.runWith, and in JDK 21 before that, in the first one, the initialiser of an event's
// class); what a continuation that has stopped runs first (Continuation.fence); what defines hidden classes
// (JavaLangAccess.defineClass), which get other bytes; what the VM calls with objects that it makes, a class loader's
// loadClass and methods that link, of which [Method.Asked] and [Method.Linked] have the code; toString of builders,
// which says that it has not been replaced; and what reflection calls method handles of constructors in, since JDK 18.
// All others have none.
func FirstHook(class, method, descriptor string, contexts bool) RuntimeMethod {
	switch {
	case class == ThreadClass && method == "start":
		return boot
	case class == ThreadClass && method == "<init>" && isAttaching(descriptor),
		class == boundThreadClass && method == "run":
		return own
	case class == VirtualThreadClass && method == "mount" && descriptor == "()V":
		return mount
	case class == reflectionClass && method == "invokeImpl" && descriptor == "([Ljava/lang/Object;)Ljava/lang/Object;":
		return Reflecting
	case method == "loadClass" && descriptor == allocations.LoadClass:
		return Asked
	case class == linkerClass && linkers[method]:
		return Linked
	case allocations.IsBuilder(class) && method == "toString" && !contexts:
		return chainEnds
	case strings.HasPrefix(class, "java/lang/System$") && method == "defineClass" && descriptor == defineHidden:
		return hidden
	case !contexts:
	case class == VirtualThreadClass && (method == "afterTerminate" || method == "afterDone"): // JDK 21, 25
		return terminated
	case class == VirtualThreadClass && method == "yieldContinuation":
		return hide
	case class == VirtualThreadClass && method == "run" && descriptor == "(Ljava/lang/Runnable;)V":
		return runs
	case class == threadStartEvent && method == "<clinit>",
		class == ThreadClass && method == "runWith" && descriptor == "(Ljava/lang/Object;Ljava/lang/Runnable;)V":
		return started
	case class == ContinuationClass && method == "fence" && descriptor == "()Z":
		return left
	}
	return None
}

// LastHook is the method of the runtime class that a method of the JDK calls before it returns. Constructors of
// exceptions and threads that the VM makes by itself have one, and that of direct method handles, which may have to
// call a stand-in for their method, those of builders, which take the tags that have been announced for them, what
// tells which method that of a handle is, and what leaves out fields of classes that programs are not shown, as ours
// are not. The others are for contexts: while a virtual
// thread is being mounted or unmounted, JVMTI does not tell stacks (it would wait for the end of that). The last Java
// code that a carrier runs before a virtual thread goes on is the end of Continuation.isStarted: what was taken off by
// a monitor is not in Java code when it comes back. What mallard.Context.current returns is the number of its own
// context, and what mallard.Context.overBudget returns the runtime class knows.
func LastHook(class, method, descriptor string, contexts, tags bool) RuntimeMethod {
	switch {
	case allocations.IsBuilder(class) && method == "<init>" && tags && !contexts:
		return tagBuilder
	case allocations.IsReplaced(class, method, descriptor):
		return ran
	case allocations.IsBuilder(class) && method == "toString" && !contexts:
		return chainMade
	case class == handleClass && method == "<init>":
		return handle
	case class == handleClass && method == "internalMemberName" && descriptor == "()L"+MemberClass+";":
		return revealed
	case class == filterClass && method == "filterFields":
		return declared
	case method == "<init>" && thrownByVM[class]:
		return Thrown
	case class == ThreadClass && method == "<init>" && isAttaching(descriptor):
		return Attached
	case class == ContinuationClass && method == "unmount" && descriptor == "()V":
		return Stopped
	case class == contextClass && method == "current" && descriptor == "()J" && contexts:
		return current
	case class == contextClass && method == "overBudget" && contexts:
		return overBudget
	case class == ContinuationClass && method == "isStarted" && descriptor == "()Z" && contexts:
		return resumes
	case class != VirtualThreadClass || !contexts:
	case method == "yieldContinuation", method == "unmount":
		return show
	case method == "run" && descriptor == "(Ljava/lang/Runnable;)V":
		return hide
	}
	return None
}

// StartedInside gives the hook of VirtualThread.run where that itself tells JVMTI that the thread has started (JDK 21):
// until then, JVMTI does not tell its stack.
func (m RuntimeMethod) StartedInside() RuntimeMethod {
	if m == runs {
		return runsHidden
	}
	return m
}

// OnThrow reports whether a last hook is called before the code throws something on as well: a thread that was to yield
// goes on when there is no memory for its stack.
func (m RuntimeMethod) OnThrow() bool { return m == show }

// WithoutFields gives the hook of a method in a JVM whose classes have no fields of ours, since it was started without
// Mallard: none for those that give threads their blocks, which the agent does there, or keep what they know in such a
// field.
func (m RuntimeMethod) WithoutFields() RuntimeMethod {
	switch m {
	case boot, own, mount, handle, revealed, declared, Stopped, Attached:
		return None
	}
	return m
}

// Hook gives the call of a method that a hook names, and how much of the operand stack it needs.
func (m *Method) Hook(hook RuntimeMethod) (code []bytecode.Instruction, stack int, err error) {
	switch hook {
	case None, Asked, Linked:
		return nil, 0, nil
	case runsHidden:
		if m.Traits() != hashedTraits { // what begins a thread's stack is found by its slot, or number
			return nil, 0, nil
		}
	case current:
		node, err := m.node()
		if err != nil || node == nil {
			return nil, 0, err // there is no context, which the value says already
		}
		code = append([]bytecode.Instruction{bytecode.Insn(bytecode.OpPop2)}, node...) // 0 → node
	case overBudget:
		code = []bytecode.Instruction{bytecode.Insn(bytecode.OpPop),
			bytecode.LoadStore(bytecode.OpAload, 0)} // null → name
	case resumes, chainMade:
		code = []bytecode.Instruction{bytecode.Insn(bytecode.OpDup)} // started → started, started
	case mount, terminated, Thrown, handle, tagBuilder:
		code = []bytecode.Instruction{bytecode.LoadStore(bytecode.OpAload, 0)} // → this
	case hidden:
		code = []bytecode.Instruction{bytecode.LoadStore(bytecode.OpAload, 1),
			bytecode.LoadStore(bytecode.OpAload, hiddenBytes),
			bytecode.LoadStore(bytecode.OpIload, 7)} // → loader, bytes, flags
	}
	stack = len(code)
	if hook == runs && m.Traits() != hashedTraits {
		hook = show
	}
	invoke, err := m.Invoke(hook) // ..., arguments → ..., or bytes
	code = append(code, invoke)
	switch hook {
	case hidden:
		code = append(code, bytecode.LoadStore(bytecode.OpAstore, hiddenBytes)) // bytes →
	case revealed:
		members, e := m.ClassConstant(MemberClass)
		if e != nil {
			return nil, 0, e
		}
		code = append(code, bytecode.WithPool(bytecode.OpCheckcast, members)) // object → member
	}
	return code, stack, err
}

// Unhook gives the call of the counterpart of a hook, before an object is returned; none for most.
func (m *Method) Unhook(hook RuntimeMethod) ([]bytecode.Instruction, error) {
	if hook != Reflecting {
		return nil, nil
	}
	invoke, err := m.Invoke(reflected)
	return []bytecode.Instruction{invoke}, err
}

// Stopped counts what the JVM has made to put the stack of a continuation into.
func (m *Method) Stopped(number uint32) (code []bytecode.Instruction, stack int, err error) {
	code, err = m.update(number, Stopped, bytecode.LoadStore(bytecode.OpAload, 0)) // ..., this, number → ...
	return code, 2, err
}

// Attached counts the Thread that a constructor is done with, and its name, if the JVM has made it for a thread that is
// attaching.
func (m *Method) Attached(number uint32) (code []bytecode.Instruction, stack int, err error) {
	code, err = m.update(number, Attached, bytecode.LoadStore(bytecode.OpAload, 0),
		bytecode.LoadStore(bytecode.OpAload, 2)) // ..., this, name or Runnable, number → ...
	return code, 3, err
}

// Asked counts the name of the class that a class loader is asked for, if the JVM asks.
func (m *Method) Asked(number uint32) (code []bytecode.Instruction, stack int, err error) {
	code, err = m.update(number, Asked, bytecode.LoadStore(bytecode.OpAload, 0),
		bytecode.LoadStore(bytecode.OpAload, 1)) // ..., this, name, node, word → ...
	return code, 3, err
}

// Linked counts what the JVM hands over to a static method of MethodHandleNatives, given its name and descriptor:
// arrays, and names. The code is ..., object, number → ... for each.
func (m *Method) Linked(number uint32, method, descriptor string) (code []bytecode.Instruction, stack int, err error) {
	parameters, _, err := classfile.SplitMethodDescriptor(descriptor)
	if err != nil {
		return nil, 0, err
	}
	for slot, p := range parameters { // all are of one slot
		if p[0] != '[' && p != "Ljava/lang/Object;" && (p != "Ljava/lang/String;" || method != linksConstants) {
			continue
		}
		each, err := m.update(number, Linked, bytecode.LoadStore(bytecode.OpAload, uint16(slot)))
		if err != nil {
			return nil, 0, err
		}
		code = append(code, each...)
	}
	return code, 2, nil
}

// Tell gives the code that tells of what is on top of the stack: in front of a call, the name of a class that code asks
// a class loader for, which the JVM has not made; behind it, a call site.
func (m *Method) Tell(by allocations.Call) ([]bytecode.Instruction, error) {
	method := named
	switch by {
	case allocations.LinksConcat:
		method = concatSite
	case allocations.LinksRecord:
		method = recordSite
	case allocations.LinksLambda:
		method = lambdaSite
	}
	invoke, err := m.Invoke(method)
	return []bytecode.Instruction{bytecode.Insn(bytecode.OpDup), invoke}, err // ..., object, object → ..., object
}

// Raised counts an exception that the JVM has made, in its constructor's node.
func (m *Method) Raised(number uint32) (code []bytecode.Instruction, stack int, err error) {
	code, err = m.update(number, Thrown, bytecode.LoadStore(bytecode.OpAload, 0)) // ..., this, node, word → ...
	return code, 2, err
}

// thrownByVM are the exceptions that the JVM makes by itself, whose constructors tell the runtime class. (For a
// StackOverflowError no constructor is called. Those that programs make as often themselves, IllegalArgumentException
// for one, are not worth looking at a stack each time.)
var thrownByVM = map[string]bool{
	"java/lang/NullPointerException":           true,
	"java/lang/ArrayIndexOutOfBoundsException": true,
	"java/lang/ArithmeticException":            true,
	"java/lang/ClassCastException":             true,
	"java/lang/ArrayStoreException":            true,
	"java/lang/NegativeArraySizeException":     true,
	"java/lang/IllegalMonitorStateException":   true,
	"java/lang/InterruptedException":           true,
	"java/lang/CloneNotSupportedException":     true,
	"java/lang/InstantiationException":         true,
	"java/lang/NoClassDefFoundError":           true,
	"java/lang/NoSuchMethodError":              true,
	"java/lang/NoSuchFieldError":               true,
	"java/lang/AbstractMethodError":            true,
	"java/lang/IllegalAccessError":             true,
	"java/lang/IncompatibleClassChangeError":   true,
	"java/lang/ExceptionInInitializerError":    true,
}
