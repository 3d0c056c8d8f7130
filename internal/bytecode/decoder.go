package bytecode

import (
	"encoding/binary"
	"fmt"
	"sync"
)

// A decoder knows where the instructions of one body are. It is scratch memory
// that is used again.
type decoder struct {
	pcs   []int32 // start of each instruction, then the length of the code
	index []int32 // by offset: index into pcs; garbage where none starts
}

var decoders = sync.Pool{New: func() any { return new(decoder) }}

// label returns the label of an offset, which is not negative; a stray one if
// no instruction starts there.
func (d *decoder) label(pc int) Label {
	if pc < len(d.index) {
		if i := d.index[pc]; int(i) < len(d.pcs) && int(d.pcs[i]) == pc {
			return Label(i)
		}
	}
	return Stray(pc)
}

// target returns the label of an offset to which control goes.
func (d *decoder) target(pc int) (Label, error) {
	if pc >= 0 {
		if l := d.label(pc); l >= 0 && int(l) < len(d.pcs)-1 {
			return l, nil
		}
	}
	return 0, fmt.Errorf("no instruction at %d", pc)
}

func int32At(b []byte, at int) int32   { return int32(binary.BigEndian.Uint32(b[at:])) }
func uint16At(b []byte, at int) uint16 { return binary.BigEndian.Uint16(b[at:]) }
