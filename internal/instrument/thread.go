package instrument

import "mallard/internal/classfile"

const (
	threadClass        = "java/lang/Thread"
	virtualThreadClass = "java/lang/VirtualThread"
	pageField          = "$mallard" // in every Thread: address of the page it counts in
)

// addPageField gives java.lang.Thread the field that the runtime class reads. Only a class that is being defined for the first time can get one.
func addPageField(c *classfile.Class) error {
	const transient, synthetic = 0x0080, 0x1000
	return c.AddField(transient|synthetic, pageField, "J")
}

// hook is the method of the runtime class that a method of the JDK calls first thing: Thread.start, whose first call ends the time of a
// single thread, and VirtualThread.mount, which lends the carrier's page. All others
// have none.
func hook(class, method, descriptor string) runtimeMethod {
	switch {
	case class == threadClass && method == "start":
		return boot
	case class == virtualThreadClass && method == "mount" && descriptor == "()V":
		return mount
	}
	return none
}
