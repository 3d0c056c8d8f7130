package instrument

import (
	"strings"

	"mallard/internal/classfile"
)

const (
	threadClass        = "java/lang/Thread"
	virtualThreadClass = "java/lang/VirtualThread"
	boundThreadClass   = "java/lang/ThreadBuilders$BoundVirtualThread"
	continuationClass  = "jdk/internal/vm/Continuation"
	blockField         = "$mallard"        // in every Thread: address of the block it counts in, relative to CounterBlocks.Shared
	nextField          = "$next"           // in every Thread, with contexts: by what the next method is entered
	calledField        = "$called"         // in every Thread, with hashed or encoded contexts: what is called
	tableField         = "$table"          // in every Thread, with contexts: where hashes, or numbers, lead; in a tree the same of nodes, in a transaction that the thread has entered, else 0
	contextClass       = "mallard/Context" // of the jar for programs
	reflectionClass    = "jdk/internal/reflect/DirectConstructorHandleAccessor"

	// The constructors that the VM calls in a thread that is attaching (JavaThread::allocate_threadObj).
	attachedNamed    = "(Ljava/lang/ThreadGroup;Ljava/lang/String;)V"
	attachedNameless = "(Ljava/lang/ThreadGroup;Ljava/lang/Runnable;)V"

	// this, loader, lookup, name, bytes, domain, initialize, flags, data
	defineHidden = "(Ljava/lang/ClassLoader;Ljava/lang/Class;Ljava/lang/String;[BLjava/security/ProtectionDomain;ZILjava/lang/Object;)Ljava/lang/Class;"
	hiddenBytes  = 4 // their local variable
)

// addFields gives java.lang.Thread the fields that the runtime class reads. Only a class that is being defined for the first time can get some.
func addFields(c *classfile.Class, contexts Representation) error {
	const transient, synthetic = 0x0080, 0x1000
	if err := c.AddField(transient|synthetic, blockField, "J"); err != nil || contexts == NoContexts {
		return err
	}
	if err := c.AddField(transient|synthetic, nextField, "J"); err != nil {
		return err
	}
	if err := c.AddField(transient|synthetic, tableField, "J"); err != nil || contexts == Tree {
		return err
	}
	return c.AddField(transient|synthetic, calledField, "I")
}

// hook is the method of the runtime class that a method of the JDK calls first thing: Thread.start, whose first call ends the time of a
// single thread; what the VM calls in threads that have no block yet; VirtualThread.mount, which gives it a block, and VirtualThread.afterTerminate, which takes that back; what a continuation that has stopped runs first (Continuation.fence); what defines hidden classes (JavaLangAccess.defineClass), which get other bytes; and
// what reflection calls method handles of constructors in, since JDK 18. All others have none.
func hook(class, method, descriptor string, contexts bool) runtimeMethod {
	switch {
	case class == threadClass && method == "start":
		return boot
	case class == threadClass && method == "<init>" && (descriptor == attachedNamed || descriptor == attachedNameless), class == boundThreadClass && method == "run":
		return own
	case class == virtualThreadClass && method == "mount" && descriptor == "()V":
		return mount
	case class == reflectionClass && method == "invokeImpl" && descriptor == "([Ljava/lang/Object;)Ljava/lang/Object;":
		return reflecting
	case strings.HasPrefix(class, "java/lang/System$") && method == "defineClass" && descriptor == defineHidden:
		return hidden
	case !contexts:
	case class == virtualThreadClass && (method == "afterTerminate" || method == "afterDone"): // JDK 21, 25
		return terminated
	case class == virtualThreadClass && method == "yieldContinuation":
		return hide
	case class == virtualThreadClass && method == "run" && descriptor == "(Ljava/lang/Runnable;)V":
		return show
	case class == continuationClass && method == "fence" && descriptor == "()Z":
		return left
	}
	return none
}

// lastHook is the method of the runtime class that a method of the JDK calls before it returns. Constructors of exceptions that the VM makes by itself have one. The others are for contexts: while a
// virtual thread is being mounted or unmounted, JVMTI does not tell stacks (it would wait for the end of that). The last Java code that a carrier runs before a virtual thread goes on is the end of
// Continuation.isStarted: what was taken off by a monitor is not in Java code when it comes back. What mallard.Context.current returns is the number of its own context.
func lastHook(class, method, descriptor string, contexts bool) runtimeMethod {
	switch {
	case method == "<init>" && thrownByVM[class]:
		return thrown
	case class == contextClass && method == "current" && descriptor == "()J" && contexts:
		return current
	case class == continuationClass && method == "isStarted" && descriptor == "()Z" && contexts:
		return resumes
	case class != virtualThreadClass || !contexts:
	case method == "yieldContinuation", method == "unmount":
		return show
	case method == "run" && descriptor == "(Ljava/lang/Runnable;)V":
		return hide
	}
	return none
}
