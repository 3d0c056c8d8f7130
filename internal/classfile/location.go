package classfile

// A Location is a set of places where an attribute may stand.
type Location uint8

const (
	InClass Location = 1 << iota
	InField
	InMethod
	InRecordComponent
	InCode
)
