package trace

// Unpack takes the value of a Packed counter apart: how many arrays, how many
// elements they have together, and the bytes that are not elements: headers, and
// the padding that aligns the ends. The elements are the bits from 31 on, the
// arrays bits 19 to 30, the other bytes those below. None overflows into the next:
// the runtime class spills a word that has bit 63 or bit 29 set into three counters
// of the kinds Arrays, Elements and Bytes, which add to what the word holds.
func Unpack(value int64) (arrays, elements, others int64) {
	word := uint64(value)
	return int64(word >> 19 & 0xfff), int64(word >> 31), int64(word & (1<<19 - 1))
}
