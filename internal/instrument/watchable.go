package instrument

import (
	"strings"

	"mallard/internal/instrument/emit"
)

// MayWatch reports whether code of a class may tell what it reads. Those are left out in which threads begin, end and
// change or have a page of the stack left, and what stands under method handles, whose code HotSpot knows.
func MayWatch(class string) bool {
	switch class {
	case "java/lang/Object", "java/lang/Class", "java/lang/Thread", "java/lang/ThreadLocal", "jdk/internal/misc/Unsafe":
		return false
	}
	for _, prefix := range [...]string{"java/lang/invoke/", "java/lang/ref/", "java/lang/ThreadLocal$",
		"java/lang/Thread$", emit.VirtualThreadClass, "jdk/internal/vm/", "jdk/internal/reflect/",
		"java/util/concurrent/locks/"} {
		if strings.HasPrefix(class, prefix) {
			return false
		}
	}
	return !IsRuntime(class)
}
