package merge

import (
	"iter"
	"math"
	"strings"

	"mallard/internal/symbols"
	"mallard/internal/trace"
)

// names are names without what the JVM numbers, by what they are with it.
type names map[string]string

func (n names) stable(name string) string {
	if !strings.ContainsAny(name, "0123456789") {
		return name
	}
	made, known := n[name]
	if !known {
		made = symbols.StableName(name)
		n[name] = made
	}
	return made
}

// methodKey is what makes a method that stands in contexts the same: its frame in stacks, but for a loader, which has
// other numbers in each JVM.
type methodKey struct {
	class, name, descriptor, source string
	native, transaction             bool
}

// siteKey is what makes a site the same.
type siteKey struct {
	class, method, descriptor, source, allocated string
	def                                          trace.SiteDef // without its Type
}

type contextKey struct {
	parent    trace.ContextID
	method    trace.MethodID
	bci, line int32
}

func internalName(class string) string { return strings.ReplaceAll(class, ".", "/") }

// saturated adds counts, of which a damaged recording may have any.
func saturated(a, b int64) int64 {
	if b > 0 && a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// perRecord is how many rows a record has at most.
const perRecord = 4096

// chunks yields a list in parts that records have room for.
func chunks[T any](list []T) iter.Seq[[]T] {
	return func(yield func([]T) bool) {
		for ; len(list) > perRecord; list = list[perRecord:] {
			if !yield(list[:perRecord]) {
				return
			}
		}
		if len(list) > 0 {
			yield(list)
		}
	}
}
