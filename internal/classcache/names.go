package classcache

import (
	"encoding/binary"

	"mallard/internal/abi"
)

// names are those of a cache's methods and calls, each with its length before it, in the order of their numbers. They
// are read whole when a cache is opened: what is numbered later needs them, whatever becomes of the file.
type names struct {
	encoded string
	count   int
	decoded func() []string // for any goroutine
}

func (n *names) decode() []string {
	list, rest := make([]string, n.count), n.encoded
	for i := range list {
		length, size := binary.Uvarint([]byte(rest[:min(len(rest), binary.MaxVarintLen64)]))
		if size <= 0 || length > uint64(len(rest)-size) {
			break // not what was written; the hash would have to be right by chance
		}
		list[i], rest = rest[size:][:length], rest[uint64(size)+length:]
	}
	return list
}

// name gives the name with a number; false for those that all caches have.
func (n *names) name(number uint32) (string, bool) {
	if number < abi.FirstName || int(number-abi.FirstName) >= n.count {
		return "", false
	}
	return n.decoded()[number-abi.FirstName], true
}

// newNames numbers the names of a cache that is being written.
type newNames struct {
	numbers map[string]uint32
	encoded []byte
}

func (n *newNames) number(name string) uint32 {
	number, ok := n.numbers[name]
	if !ok {
		number = abi.FirstName + uint32(len(n.numbers))
		n.numbers[name] = number
		n.encoded = append(binary.AppendUvarint(n.encoded, uint64(len(name))), name...)
	}
	return number
}
