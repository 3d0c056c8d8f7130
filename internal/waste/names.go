package waste

import (
	"strings"

	"mallard/internal/profile"
	"mallard/internal/symbols"
)

var boxes = map[string]bool{"java.lang.Boolean": true, "java.lang.Byte": true, "java.lang.Character": true,
	"java.lang.Short": true, "java.lang.Integer": true, "java.lang.Long": true, "java.lang.Float": true,
	"java.lang.Double": true}

// isBox reports whether a site makes a box, but for those that the JDK makes once, for its caches.
func isBox(s *profile.Site) bool { return boxes[s.Type] && !strings.HasSuffix(s.Class, "Cache") }

// isLambda reports whether a site makes an object of a lambda or method reference each time it is evaluated. What
// captures nothing is made once, by the JDK.
func isLambda(s *profile.Site) bool {
	return strings.Contains(s.Type, "$$Lambda") && !strings.HasPrefix(s.Class, "java.lang.invoke.")
}

// isIterator goes by names: what iterator() and its like make, or what is called an iterator.
func isIterator(s *profile.Site) bool {
	return !s.Array && returnsIterator(s.Method) || strings.HasSuffix(s.Type, "Iterator") ||
		strings.HasSuffix(s.Type, "Itr")
}

func returnsIterator(method string) bool {
	return method == "iterator" || method == "listIterator" || method == "descendingIterator"
}

// isEnumValues reports whether a site makes the array that values() of an enum class returns.
func isEnumValues(s *profile.Site) bool {
	return s.Method == "values" && s.Copied && s.Type == s.Class+"[]" && strings.HasPrefix(s.Descriptor, "()")
}

func isBuilder(class string) bool {
	return class == "java.lang.StringBuilder" || class == "java.lang.StringBuffer"
}

// isThrowable goes by the end of a class's name.
func isThrowable(class string) bool {
	return strings.HasSuffix(class, "Exception") || strings.HasSuffix(class, "Error") ||
		strings.HasSuffix(class, "Throwable")
}

const (
	throwable    = "java.lang.Throwable"
	stackElement = "java.lang.StackTraceElement"
	arrays       = "java.util.Arrays"
)

// isBacktrace reports whether a site makes what a Throwable knows of the stack.
func isBacktrace(s *profile.Site) bool {
	return s.Class == throwable && s.Method == "fillInStackTrace" ||
		strings.TrimSuffix(s.Type, "[]") == stackElement
}

// growing are methods of the JDK that replace an array by a larger one, 17 to 25, with what grows.
var growing = map[string]string{
	"java.util.ArrayList.grow":                                "java.util.ArrayList",
	"java.util.Vector.grow":                                   "java.util.Vector",
	"java.util.ArrayDeque.grow":                               "java.util.ArrayDeque",
	"java.util.PriorityQueue.grow":                            "java.util.PriorityQueue",
	"java.util.concurrent.PriorityBlockingQueue.tryGrow":      "java.util.concurrent.PriorityBlockingQueue",
	"java.util.HashMap.resize":                                "java.util.HashMap",
	"java.util.Hashtable.rehash":                              "java.util.Hashtable",
	"java.util.IdentityHashMap.resize":                        "java.util.IdentityHashMap",
	"java.util.WeakHashMap.resize":                            "java.util.WeakHashMap",
	"java.util.concurrent.ConcurrentHashMap.transfer":         "java.util.concurrent.ConcurrentHashMap",
	"java.util.BitSet.ensureCapacity":                         "java.util.BitSet",
	"java.util.StringJoiner.add":                              "java.util.StringJoiner",
	"java.io.ByteArrayOutputStream.ensureCapacity":            "java.io.ByteArrayOutputStream",
	"java.io.ByteArrayOutputStream.grow":                      "java.io.ByteArrayOutputStream",
	"java.io.CharArrayWriter.write":                           "java.io.CharArrayWriter",
	"java.lang.AbstractStringBuilder.ensureCapacityInternal":  "java.lang.StringBuilder",
	"java.lang.AbstractStringBuilder.ensureCapacityNewCoder":  "java.lang.StringBuilder",
	"java.lang.AbstractStringBuilder.ensureCapacitySameCoder": "java.lang.StringBuilder",
	"java.util.concurrent.ScheduledThreadPoolExecutor$DelayedWorkQueue.grow": "java.util.concurrent." +
		"ScheduledThreadPoolExecutor",
}

// whole are those of growing whose arrays are all larger ones although no copy of an array makes them.
var whole = map[string]bool{"java.util.Hashtable.rehash": true, "java.util.IdentityHashMap.resize": true,
	"java.util.WeakHashMap.resize": true, "java.util.concurrent.ConcurrentHashMap.transfer": true,
	"java.util.concurrent.PriorityBlockingQueue.tryGrow": true}

// copying reports whether a method of the JDK returns, or is the constructor of, a copy of what it is given.
func copying(m *symbols.Method) bool {
	switch m.Title() {
	case "java.util.Arrays.copyOf", "java.util.Arrays.copyOfRange", "java.util.List.copyOf", "java.util.Set.copyOf",
		"java.util.Map.copyOf", "java.util.EnumSet.copyOf", "java.lang.String.toCharArray", "java.lang.String.getBytes",
		"java.io.ByteArrayOutputStream.toByteArray":
		return true
	}
	if !strings.HasPrefix(m.Class, "java.util.") || strings.HasPrefix(m.Class, "java.util.stream.") {
		return false
	}
	return m.Name == "toArray" || m.Name == "clone" || m.Name == constructor && copyingConstructor(m)
}

const constructor = "<init>"

func copyingConstructor(m *symbols.Method) bool {
	switch strings.TrimSuffix(m.Descriptor, ")V") {
	case "(Ljava/util/Collection;", "(Ljava/util/Map;", "(Ljava/util/SortedSet;", "(Ljava/util/SortedMap;",
		"(Ljava/util/EnumMap;", "(Ljava/util/PriorityQueue;":
		return true
	}
	return false
}

// A family is collections of the JDK, 17 to 25, that make an array of one class in methods of one class, and not before
// there is something to put in or a size was asked for.
type family struct{ class, array string }

var (
	lists    = family{"java.util.ArrayList", "java.lang.Object[]"}
	tables   = family{"java.util.HashMap", "java.util.HashMap$Node[]"}
	shared   = family{"java.util.concurrent.ConcurrentHashMap", "java.util.concurrent.ConcurrentHashMap$Node[]"}
	familyOf = map[string]family{"java.util.ArrayList": lists, "java.util.HashMap": tables,
		"java.util.LinkedHashMap": tables, "java.util.concurrent.ConcurrentHashMap": shared}
)

// makes reports whether a site makes a family's arrays.
func (f family) makes(s *profile.Site) bool {
	return s.Array && s.Class == f.class && s.Type == f.array
}
