package allocations

import (
	"strings"

	"mallard/internal/classfile"
)

// bootstraps are the methods that link invokedynamic instructions which make something each time they are executed.
// Which makes what, dynamic.makes says.
var bootstraps = map[reference]bool{
	{"java/lang/invoke/LambdaMetafactory", "metafactory", ""}:               true,
	{"java/lang/invoke/LambdaMetafactory", "altMetafactory", ""}:            true,
	{"java/lang/invoke/StringConcatFactory", "makeConcat", ""}:              true,
	{"java/lang/invoke/StringConcatFactory", "makeConcatWithConstants", ""}: true,
	{"java/lang/runtime/ObjectMethods", "bootstrap", ""}:                    true,
}

// dynamic knows the invokedynamic instructions of a class.
type dynamic struct {
	class           *classfile.Class
	measuresStrings bool                        // see Options
	methods         []classfile.BootstrapMethod // nil before the first use
}

// makes says what an instruction with this constant makes.
func (d *dynamic) makes(i classfile.PoolIndex) Call {
	pool := d.class.Pool
	n, name, descriptor, err := pool.Dynamic(i)
	methods := d.bootstrapMethods()
	if err != nil || n >= len(methods) {
		return NoCall
	}
	_, method, err := pool.MethodHandle(methods[n].Handle)
	if err != nil {
		return NoCall
	}
	class, bootstrap, _, err := pool.Ref(method)
	if err != nil || !bootstraps[reference{class, bootstrap, ""}] {
		return NoCall
	}
	parameters, _, err := classfile.SplitMethodDescriptor(descriptor)
	switch {
	case err != nil || len(parameters) == 0:
		return NoCall // a lambda that captures nothing is made once, when it is linked
	case strings.HasSuffix(class, "LambdaMetafactory"):
		return MakesLambda
	case strings.HasSuffix(class, "ObjectMethods"):
		if name == "toString" {
			return TakesStrings
		}
		return NoCall
	case len(parameters) == 1 && strings.Contains("ZBSCIJFD", parameters[0]) && !d.hasConstants(methods[n].Arguments):
		return NoCall // String.valueOf does it, in bytecode
	case d.measuresStrings && len(parameters) == 1 && !d.hasConstants(methods[n].Arguments):
		return CopiesString
	case d.measuresStrings:
		return MakesOwnString
	}
	return MakesString
}

// hasConstants reports whether a recipe of StringConcatFactory says more than "the argument".
func (d *dynamic) hasConstants(arguments []classfile.PoolIndex) bool {
	if len(arguments) == 0 {
		return false
	}
	recipe, err := d.class.Pool.StringValue(arguments[0])
	return err != nil || recipe != "\x01"
}

func (d *dynamic) bootstrapMethods() []classfile.BootstrapMethod {
	if d.methods == nil {
		d.methods = []classfile.BootstrapMethod{}
		if a := d.class.Pool.FindAttribute(d.class.Attributes, classfile.AttrBootstrapMethods); a != nil {
			if decoded, err := classfile.DecodeInfo[classfile.BootstrapMethods](a.Info); err == nil {
				d.methods = decoded.Methods
			}
		}
	}
	return d.methods
}
