package trace

import "mallard/internal/abi"

// Unpack takes the value of a Packed counter apart: how many arrays, how many
// elements they have together, and the bytes that are not elements: headers, and
// the padding that aligns the ends. The elements are the bits from
// [abi.PackedElements] on, the arrays those from [abi.PackedArrays] up to them, the
// other bytes those below. None overflows into the next: the runtime class spills a
// word that is about to into three counters of the kinds Arrays, Elements and Bytes,
// which add to what the word holds. The reference is java.lang.$Mallard.pack.
func Unpack(value int64) (arrays, elements, others int64) {
	word := uint64(value)
	const elementsBit, arraysBit = 1 << abi.PackedElements, 1 << abi.PackedArrays
	return int64(word % elementsBit >> abi.PackedArrays), int64(word >> abi.PackedElements), int64(word % arraysBit)
}
