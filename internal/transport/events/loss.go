package events

import (
	"encoding/binary"
	"errors"
)

// Loss says what the recording lacks of one ring, or from when on a producer records more or less.
type Loss struct {
	Ring      int
	From, To  uint64 // nanoseconds of CLOCK_MONOTONIC; 0 unknown
	LevelThen uint32 // at From
	Level     uint32 // at To
	Counts    []Count
	Reason    string // empty: the ring was full, or the producer changed its level
}

// Count is what is lost of one kind.
type Count struct {
	Kind    Kind
	Records uint64
}

// counts are records by kind.
type counts [Kinds]uint64

var errLoss = errors.New("record of a loss is damaged")

// decodeLoss reads a record of LossKind.
func decodeLoss(ring int, b []byte) (Loss, error) {
	if len(b) < lossBytes || (len(b)-lossBytes)%countBytes != 0 || (len(b)-lossBytes)/countBytes > Kinds {
		return Loss{}, errLoss
	}
	u64 := func(at int) uint64 { return binary.LittleEndian.Uint64(b[at:]) }
	l := Loss{Ring: ring, From: u64(0), To: u64(8), LevelThen: uint32(u64(16)), Level: uint32(u64(16) >> 32)}
	for at := lossBytes; at < len(b); at += countBytes {
		if u64(at) >= Kinds {
			return Loss{}, errLoss
		}
		l.Counts = append(l.Counts, Count{Kind(u64(at)), u64(at + 8)})
	}
	return l, nil
}
