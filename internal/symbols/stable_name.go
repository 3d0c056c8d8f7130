package symbols

import "regexp"

// StableName is the name of a class, or of something in it, without what the VM numbers at run time, so that it is the
// same in each run of a program:
//
//	Shop$$Lambda$14/0x0000000800c03000   Shop$$Lambda
//	jdk.proxy2.$Proxy12                  jdk.proxy#.$Proxy#
//	GeneratedMethodAccessor7             GeneratedMethodAccessor#
//	LambdaForm$MH/0x0000000800c08400     LambdaForm$MH
//	Shop$$EnhancerByCGLIB$$1a2b3c4d      Shop$$EnhancerByCGLIB$$#
func StableName(name string) string {
	name = address.ReplaceAllString(name, "")
	return counted.ReplaceAllString(lambda.ReplaceAllString(name, "$$$$Lambda"), "${1}${2}#")
}

var (
	address = regexp.MustCompile(`[/.+]0x[0-9a-f]+`)
	lambda  = regexp.MustCompile(`\$\$Lambda\$\d+`)
	// what the JDK, or a library, has counted or hashed, behind what is left of it
	counted = regexp.MustCompile(`(\$Proxy|\bjdk\.proxy|Generated\w*Accessor|LambdaForm\$\w*?MH)\d+|` +
		`(CGLIB\$\$)[0-9a-f]+`)
)
