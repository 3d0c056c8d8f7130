package trace

// Bits of a Packed counter's value.
const (
	packedArrays   = 19 // from this one on the arrays
	packedElements = 31 // from this one on the elements
)

// Unpack takes the value of a Packed counter apart, which recordings have that were made before arrays got three
// counters instead: how many arrays, how many elements they have together, and the bytes that are not elements:
// headers, and the padding that aligns the ends. A word that one of these was about to run over was emptied into three
// counters of the kinds Arrays, Elements and Bytes, which add to what it holds.
func Unpack(value int64) (arrays, elements, others int64) {
	word := uint64(value)
	const elementsBit, arraysBit = 1 << packedElements, 1 << packedArrays
	return int64(word % elementsBit >> packedArrays), int64(word >> packedElements), int64(word % arraysBit)
}
