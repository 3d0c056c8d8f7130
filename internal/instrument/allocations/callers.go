package allocations

import "strings"

// StandInsName is a class that the agent defines after the runtime classes. It calls what method handles do not, and is
// instrumented as all others.
const StandInsName = "java/lang/$MallardStandIns"

// What calls methods by native code: since JDK 18, and before.
const (
	nativeAccessor      = "jdk/internal/reflect/DirectMethodHandleAccessor$NativeAccessor"
	olderNativeAccessor = "jdk/internal/reflect/NativeMethodAccessorImpl"
)

// CountsForCallers reports whether what the calls of a class make is counted where a method handle, or a method by
// reflection, was called, if that is known: it is the class that such a call leads to.
func CountsForCallers(class string) bool {
	switch class {
	case StandInsName, "java/lang/invoke/DirectMethodHandle", nativeAccessor, olderNativeAccessor,
		"java/lang/invoke/LambdaForm$MH": // hidden classes that are generated
		return true
	}
	return strings.HasPrefix(class, "jdk/internal/reflect/GeneratedMethodAccessor")
}

// constructsHidden reports whether a class calls a method handle of the constructor of a hidden class, which it has
// defined for a call site that is linked: of a lambda that captures nothing (since JDK 18), or of what concatenates
// strings (since JDK 24). That handle counts nothing, as those of other lambdas are counted where they are written.
func constructsHidden(class, called string) bool {
	switch class {
	case "java/lang/invoke/InnerClassLambdaMetafactory":
		return called == "invokeExact" || called == "invokeBasic"
	case "java/lang/invoke/StringConcatFactory$InlineHiddenClassStrategy":
		return called == "invokeBasic"
	}
	return false
}

// callsForOthers reports whether a class calls method handles and methods for those who have called it.
func callsForOthers(class string) bool {
	return strings.HasPrefix(class, "java/lang/invoke/") || strings.HasPrefix(class, "jdk/internal/reflect/") ||
		strings.HasPrefix(class, "java/lang/runtime/") || class == "java/lang/reflect/Method"
}
