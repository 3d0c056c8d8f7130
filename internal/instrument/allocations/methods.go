package allocations

// methods are those whose calls are counted, right after they have returned; it holds for JDK 17 to 25. C2 has code of
// its own for most (vmIntrinsics.hpp), so their bodies, where they have any, may or may not run; which bytecodes are
// not counted because the call is, countedAtCall says. clone is the matter of cloneAt.
var methods = map[reference]Call{
	{"java/util/Arrays", "copyOf", "([Ljava/lang/Object;I)[Ljava/lang/Object;"}:                        MakesArray,
	{"java/util/Arrays", "copyOf", "([Ljava/lang/Object;ILjava/lang/Class;)[Ljava/lang/Object;"}:       MakesArray,
	{"java/util/Arrays", "copyOfRange", "([Ljava/lang/Object;II)[Ljava/lang/Object;"}:                  MakesArray,
	{"java/util/Arrays", "copyOfRange", "([Ljava/lang/Object;IILjava/lang/Class;)[Ljava/lang/Object;"}: MakesArray,

	{"java/lang/reflect/Array", "newInstance", "(Ljava/lang/Class;I)Ljava/lang/Object;"}:  MakesObject,
	{"java/lang/reflect/Array", "newInstance", "(Ljava/lang/Class;[I)Ljava/lang/Object;"}: MakesNested,
	{"java/lang/reflect/Array", "get", "(Ljava/lang/Object;I)Ljava/lang/Object;"}:         MakesBox,

	{"java/lang/Class", "newInstance",
		"()Ljava/lang/Object;"}: MakesObject,
	{"java/lang/reflect/Constructor", "newInstance",
		"([Ljava/lang/Object;)Ljava/lang/Object;"}: MakesObject,
	{"jdk/internal/misc/Unsafe", "allocateInstance",
		"(Ljava/lang/Class;)Ljava/lang/Object;"}: MakesObject,
	{"sun/misc/Unsafe", "allocateInstance",
		"(Ljava/lang/Class;)Ljava/lang/Object;"}: MakesObject,
	{"jdk/internal/misc/Unsafe", "allocateUninitializedArray",
		"(Ljava/lang/Class;I)Ljava/lang/Object;"}: MakesObject,

	{concatFactory, "makeConcat", ""}:              LinksConcat,
	{concatFactory, "makeConcatWithConstants", ""}: LinksConcat,
	{lambdaFactory, "metafactory", ""}:             LinksLambda,
	{lambdaFactory, "altMetafactory", ""}:          LinksLambda,
	{StandInsName, "made", made}:                   MakesObject,

	{olderNativeAccessor, "invoke0", invoke0}: MakesInvoked,
	{nativeAccessor, "invoke0", invoke0}:      MakesInvoked,

	{"java/lang/invoke/MethodHandle", "invokeExact", ""}:         CallsHandle,
	{"java/lang/invoke/MethodHandle", "invoke", ""}:              CallsHandle,
	{"java/lang/invoke/MethodHandle", "invokeWithArguments", ""}: CallsHandle,
	{"java/lang/reflect/Method", "invoke", ""}:                   CallsHandle,

	{"java/lang/Throwable", "fillInStackTrace", "(I)Ljava/lang/Throwable;"}: MakesBacktrace,

	{class, "getDeclaredMethods0", "(Z)[Ljava/lang/reflect/Method;"}:           MakesMembers,
	{class, "getDeclaredConstructors0", "(Z)[Ljava/lang/reflect/Constructor;"}: MakesMembers,
	{class, "getDeclaredFields0", "(Z)[Ljava/lang/reflect/Field;"}:             MakesMembers,
	{"jdk/internal/reflect/ConstantPool", "getUTF8At0",
		"(Ljava/lang/Object;I)Ljava/lang/String;"}: MakesReturned,
	{properties, "vmProperties", "()[Ljava/lang/String;"}:                                           MakesReturned,
	{properties, "platformProperties", "()[Ljava/lang/String;"}:                                     MakesReturned,
	{class, "getInterfaces0", "()[Ljava/lang/Class;"}:                                               MakesReturned,
	{"java/security/AccessController", "getStackAccessControlContext", "()L" + accessContext + ";"}: MakesReturned,
	{class, "getRawAnnotations", "()[B"}:                                                            MakesReturned,

	{concatHelper, "simpleConcat",
		"(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/String;"}: MakesString,
	{concatHelper, "doConcat",
		"(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;"}: MakesString,
	{concatHelper, "concat",
		"(Ljava/lang/String;Ljava/lang/Object;Ljava/lang/String;)Ljava/lang/String;"}: MakesString,
	{concatHelper, "newArray", "(J)[B"}: TakesBytes,
	{concatHelper, "newArray", "(I)[B"}: TakesBytes,

	{"java/lang/StringUTF16", "toBytes", "([CII)[B"}:  MakesReplaced,
	{quicksort, "partition", partition}:               MakesReplaced, // since JDK 22
	{bigInteger, "implMultiplyToLen", "([II[II[I)[I"}: MakesFresh,    // its caller has the array to write to there

	{"java/lang/VirtualThread", yieldContinuation, "()Z"}: Stops,
}

// IsReplaced reports whether a method of the JDK may be replaced by code that makes the array it returns, so that it
// says when it has run.
func IsReplaced(class, method, descriptor string) bool {
	return methods[reference{class, method, descriptor}] == MakesReplaced
}

const yieldContinuation = "yieldContinuation"

const quicksort = "java/util/DualPivotQuicksort"

const partition = "(Ljava/lang/Class;Ljava/lang/Object;JIIIILjava/util/DualPivotQuicksort$PartitionOperation;)[I"

const class = "java/lang/Class"

// accessContext is what native code makes of the callers' protection domains, for new threads and privileged code, up
// to JDK 23.
const accessContext = "java/security/AccessControlContext"

const properties = "jdk/internal/util/SystemProps$Raw"

// LoadClass is the descriptor of ClassLoader.loadClass, which the JVM calls.
const LoadClass = "(Ljava/lang/String;)Ljava/lang/Class;"

const invoke0 = "(Ljava/lang/reflect/Method;Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;"

// made is the descriptor of what returns an object of which stand-ins say that it has been made.
const made = "(Ljava/lang/Object;)Ljava/lang/Object;"

const (
	concatFactory = "java/lang/invoke/StringConcatFactory"
	lambdaFactory = "java/lang/invoke/LambdaMetafactory"
)

const handleClass = "java/lang/invoke/MethodHandle"

const bigInteger = "java/math/BigInteger"

// reference names a method; its descriptor is empty where the class has but one of the name.
type reference struct{ class, name, descriptor string }

// concatHelper has what concatenated strings are made with. It is called by method handles and, since JDK 24, by
// hidden classes, so its byte[] are announced in the thread's block (give) and fetched from there by the code that is
// counted (take).
const concatHelper = "java/lang/StringConcatHelper"

// recordClass links the toString of records.
const recordClass = "java/lang/runtime/ObjectMethods"

// concatClass has the hidden classes that concatenate strings since JDK 24.
const concatClass = "java/lang/String$$StringConcat"
