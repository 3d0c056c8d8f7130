package instrument

import (
	"strings"

	"mallard/internal/classfile"
)

const (
	threadClass        = "java/lang/Thread"
	virtualThreadClass = "java/lang/VirtualThread"
	pageField          = "$mallard" // in every Thread: address of the page it counts in
	reflectionClass    = "jdk/internal/reflect/DirectConstructorHandleAccessor"

	// this, loader, lookup, name, bytes, domain, initialize, flags, data
	defineHidden = "(Ljava/lang/ClassLoader;Ljava/lang/Class;Ljava/lang/String;[BLjava/security/ProtectionDomain;ZILjava/lang/Object;)Ljava/lang/Class;"
	hiddenBytes  = 4 // their local variable
)

// addPageField gives java.lang.Thread the field that the runtime class reads. Only a class that is being defined for the first time can get one.
func addPageField(c *classfile.Class) error {
	const transient, synthetic = 0x0080, 0x1000
	return c.AddField(transient|synthetic, pageField, "J")
}

// hook is the method of the runtime class that a method of the JDK calls first thing: Thread.start, whose first call ends the time of a
// single thread; VirtualThread.mount, which lends the carrier's page; what defines hidden classes (JavaLangAccess.defineClass), which get other bytes; and
// what reflection calls method handles of constructors in, since JDK 18. All others have none.
func hook(class, method, descriptor string) runtimeMethod {
	switch {
	case class == threadClass && method == "start":
		return boot
	case class == virtualThreadClass && method == "mount" && descriptor == "()V":
		return mount
	case class == reflectionClass && method == "invokeImpl" && descriptor == "([Ljava/lang/Object;)Ljava/lang/Object;":
		return reflecting
	case strings.HasPrefix(class, "java/lang/System$") && method == "defineClass" && descriptor == defineHidden:
		return hidden
	}
	return none
}
