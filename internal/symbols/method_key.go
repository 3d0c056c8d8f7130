package symbols

import "mallard/internal/trace"

// MethodKey tells methods apart, in the words of the class file. One without a Class stands for no method: see
// [MethodKey.IsTransaction].
type MethodKey struct {
	Loader                  trace.LoaderID
	Class, Name, Descriptor string
}

// VM is where a key has its class that stands for the JVM itself: its methods are what objects are for that it makes.
const VM = "(JVM)"

// transactionMark is where the key of a method has its descriptor.
const transactionMark = "transaction"

// IsTransaction reports whether a key is that of a transaction's frame.
func (k *MethodKey) IsTransaction() bool { return k.Class == "" && k.Descriptor == transactionMark }

// Title is what [Method.Title] will say.
func (k *MethodKey) Title() string {
	if k.Class == "" {
		return k.Name
	}
	return ClassName(k.Class) + "." + k.Name
}
