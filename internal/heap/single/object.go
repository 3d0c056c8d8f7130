package single

import "mallard/internal/abi"

// Object is one object, where it was seen last.
type Object struct {
	Address  uint64 // 0: nobody knows
	Order    uint32 // of births; 0: it had none yet
	Words    uint32 // of 8 bytes
	Class    int32
	Born     int32 // pause before which it was seen first; Unknown, Earlier
	Promoted int32 // pause that has made it old; Earlier; Unknown: none, or none that is known
	Moves    uint32
	Region   uint32 // G1's number, of what is old
	Space    uint8  // abi.HeapEden, ...
	Age      uint8  // as its header has it, in survivor spaces; in old ones that it had when it was promoted, or NoAge
	Settled  bool   // a collection that came to it in the old generation has left it alive
	Looked   bool   // a collection is looking at it
}

// What is no pause.
const (
	Unknown = -1
	Earlier = -2 // one before all that are known, where reading begins at a keyframe
)

// NoAge is that of a promoted object of which nobody knows at which age that was.
const NoAge = 255

// IsOld reports whether it is in the old generation.
func (o *Object) IsOld() bool { return isOld(o.Space) }

func isOld(space uint8) bool { return space == abi.HeapOld || space == abi.HeapHumongous }

// PromotedAge is the age that it had when a collection made it old: how many young ones it had come through before.
// False: it was not promoted, or nobody knows.
func (o *Object) PromotedAge() (age uint8, known bool) {
	return o.Age, o.IsOld() && o.Promoted != Unknown && o.Age != NoAge
}

// Bytes are those that it takes on the heap.
func (o *Object) Bytes() int64 { return 8 * int64(o.Words) }

// Hash is what System.identityHashCode gives of it; 0: it has none.
func (o *Object) Hash() uint32 { return HashOf(o.Order) }

// HashOf is the identity hash of an object with an order.
func HashOf(order uint32) uint32 {
	x := order * abi.OrderFactor & abi.OrderMask
	return x ^ x>>abi.OrderShift
}

// OrderOf is the order that a hash stands for.
func OrderOf(hash uint32) uint32 {
	return (hash ^ hash>>abi.OrderShift) * abi.OrderInverse & abi.OrderMask
}
