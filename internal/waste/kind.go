package waste

import "strings"

// Kind is a kind of waste. An object is of the first that fits.
type Kind uint8

const (
	Exceptions Kind = iota
	EnumValues
	Boxing
	Lambdas
	Iterators
	EmptyArrays
	Growth
	Copies
	Varargs
	EmptyCollections
	Concatenation
	kinds
)

var kindTexts = [kinds]struct{ name, advice string }{
	Exceptions: {"exceptions", "exceptions with their stacks, many of one place: return a value instead, or make " +
		"them without a stack (the constructor of Throwable with four parameters)"},
	EnumValues: {"enum values", "values() makes a copy of the array each time: keep one in a static final field"},
	Boxing: {"boxing", "boxes of basic values: use basic types, and collections and streams made for them " +
		"(IntStream, int[])"},
	Lambdas: {"lambdas", "lambdas and method references that capture are objects each time: hand over what they " +
		"capture as a parameter, or make them once"},
	Iterators: {"iterators", "an iterator for each loop over a collection: loop by index over lists in hot code, or " +
		"over an array"},
	EmptyArrays: {"empty arrays", "arrays without elements: share one in a static final field"},
	Growth: {"growth", "larger arrays made since the first was too small: say the size in the constructor " +
		"(new ArrayList<>(n), new StringBuilder(n), HashMap.newHashMap(n))"},
	Copies: {"copies", "copies of arrays, strings and collections: hand out what cannot be changed, or a view " +
		"(List.of, Collections.unmodifiableList)"},
	Varargs: {"varargs", "arrays written out for one call, as for variable arguments: add a method with as many " +
		"parameters, or ask whether the call is needed (a logger's isDebugEnabled)"},
	EmptyCollections: {"empty collections", "collections that had nothing in them by the end, so many at least: make " +
		"them when there is something to put in, or share List.of() and Map.of()"},
	Concatenation: {"concatenation", "strings concatenated in a loop: append to one StringBuilder made before it"},
}

// String returns the word for k in reports.
func (k Kind) String() string { return kindTexts[k].name }

// ParseKind finds the kind that a word of reports stands for, in which spaces may be hyphens.
func ParseKind(text string) (k Kind, ok bool) {
	for k := range kinds {
		if k.String() == strings.ReplaceAll(text, "-", " ") {
			return k, true
		}
	}
	return 0, false
}

// Advice says in a line what objects of a kind are, and what to do about them.
func (k Kind) Advice() string { return kindTexts[k].advice }

// Kinds are all kinds, in the order in which they are tried.
func Kinds() (list []Kind) {
	for k := range kinds {
		list = append(list, k)
	}
	return list
}
