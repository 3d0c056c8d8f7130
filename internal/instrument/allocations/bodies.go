package allocations

import "strings"

// countedAtCall reports whether what a bytecode allocates, the first of its method or not, or what a call makes (call),
// is counted where the method around it is called.
func countedAtCall(class, method, allocated string, o Options, call, first bool) bool {
	switch {
	case class == "java/util/Arrays":
		copies := method == "copyOf" || method == "copyOfRange"
		return copies && (allocated == "[Ljava/lang/Object;" || call && ElementShift(allocated[1:]) < 0)
	case strings.HasPrefix(class, concatHelper):
		return call || allocated == "java/lang/String"
	case strings.HasPrefix(class, concatClass):
		return true
	case class == bigInteger && method == "implMultiplyToLen":
		return o.SeesBodies && !call
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
