package contexts

import "mallard/internal/calltree"

// sizes is where the sizes of a name's transactions are.
type sizes struct {
	number calltree.MethodID
	at     calltree.Node
	ended  uint64 // when they were recorded last
}
