package diff

import (
	"cmp"
	"regexp"
	"strings"

	"mallard/internal/symbols"
)

// names gives names of classes and methods without numbers that say nothing about what they stand for, and remembers
// them.
type names struct{ stable, plain map[string]string }

func newNames() *names { return &names{map[string]string{}, map[string]string{}} }

// stableName is [symbols.StableName].
func (n *names) stableName(name string) string {
	return remembered(n.stable, name, func() string { return symbols.StableName(name) })
}

// plainName is the name also without what compilers number, which changes with the code around it:
//
//	lambda$order$3       lambda$order$#
//	Shop$1$Item          Shop$#$Item
func (n *names) plainName(name string) string {
	return remembered(n.plain, name, func() string {
		return compiled.ReplaceAllString(n.stableName(name), "$$#")
	})
}

var compiled = regexp.MustCompile(`\$\d+`)

func remembered(known map[string]string, name string, make func() string) string {
	if !strings.ContainsAny(name, "0123456789") {
		return name
	}
	made, ok := known[name]
	if !ok {
		made = make()
		known[name] = made
	}
	return made
}

// compareNumbered orders names that differ in numbers by these: lambda$9 is before lambda$10.
func compareNumbered(a, b string) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
}

// outermost is the class that a class is inside: what stands in one source file, mostly.
func outermost(class string) string {
	simple := strings.LastIndexByte(class, '.') + 1
	if inside := strings.IndexByte(class[simple:], '$'); inside > 0 {
		return class[:simple+inside]
	}
	return class
}
