package diff

import (
	"cmp"
	"regexp"
	"strings"
)

// names gives names of classes and methods without numbers that say nothing about what they stand for, and remembers
// them.
type names struct{ stable, plain map[string]string }

func newNames() *names { return &names{map[string]string{}, map[string]string{}} }

// stableName is the name without what the VM numbers at run time, so that it is the same in each run of a program:
//
//	Shop$$Lambda$14/0x0000000800c03000   Shop$$Lambda
//	jdk.proxy2.$Proxy12                  jdk.proxy#.$Proxy#
//	GeneratedMethodAccessor7             GeneratedMethodAccessor#
//	LambdaForm$MH/0x0000000800c08400     LambdaForm$MH
//	Shop$$EnhancerByCGLIB$$1a2b3c4d      Shop$$EnhancerByCGLIB$$#
func (n *names) stableName(name string) string {
	return remembered(n.stable, name, func() string {
		name := address.ReplaceAllString(name, "")
		return counted.ReplaceAllString(lambda.ReplaceAllString(name, "$$$$Lambda"), "${1}${2}#")
	})
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

var (
	address = regexp.MustCompile(`[/.+]0x[0-9a-f]+`)
	lambda  = regexp.MustCompile(`\$\$Lambda\$\d+`)
	// what the JDK, or a library, has counted or hashed, behind what is left of it
	counted = regexp.MustCompile(`(\$Proxy|\bjdk\.proxy|Generated\w*Accessor|LambdaForm\$\w*?MH)\d+|` +
		`(CGLIB\$\$)[0-9a-f]+`)
	compiled = regexp.MustCompile(`\$\d+`)
)

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
