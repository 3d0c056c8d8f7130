package replica

import (
	"encoding/binary"
	"math"
	"strings"

	"mallard/internal/abi"
)

const maxText = 1 << 16 // bytes of a name

// sampledRow is a row of samples or pairs, by abi's numbers.
type sampledRow [abi.SampledNumbers]int64

func (r sampledRow) append(b []byte) []byte {
	for _, n := range r {
		b = binary.AppendUvarint(b, uint64(min(n, maxWords)))
	}
	return b
}

// isGood reports whether the numbers can be.
func (r *sampledRow) isGood() bool {
	if r[abi.SampledMade] > math.MaxUint32 || r[abi.SampledRead] > math.MaxUint32 {
		return false
	}
	return r[abi.SampledObjects] > 0 &&
		r[abi.SampledEqual] <= r[abi.SampledObjects] && r[abi.SampledNear] <= r[abi.SampledObjects] &&
		plus(r[abi.SampledCopies], r[abi.SampledPartial]) <= r[abi.SampledEqual] &&
		r[abi.SampledNearEqual] <= min(r[abi.SampledNear], r[abi.SampledEqual])
}

// sampledEnd is what the last event of a set says.
type sampledEnd struct {
	set          uint32
	events, lost int64
}

func (e sampledEnd) encode() []byte {
	words := [abi.SampledEndWords]int64{abi.SampledEndSet: int64(e.set), abi.SampledEndEvents: e.events,
		abi.SampledEndLost: e.lost}
	var b []byte
	for _, word := range words {
		b = binary.LittleEndian.AppendUint64(b, uint64(word))
	}
	return b
}

// decode adds an event. It gives the number of its set, and what it says where it is an end; end is nil and good false
// for kinds that are none of samples.
func (s *Samples) decode(kind uint16, data []byte) (set uint32, end *sampledEnd, good bool) {
	end = &sampledEnd{}
	switch kind {
	case abi.EventSampledStack, abi.EventSampledRows, abi.EventSampledWhole:
		if len(data) < abi.SampledStackRest {
			return 0, end, false
		}
		set = binary.LittleEndian.Uint32(data)
		if kind == abi.EventSampledRows {
			return set, end, s.decodeRows(data[abi.SampledStackRest:])
		}
		if kind == abi.EventSampledWhole {
			return set, end, s.decodeWhole(data[abi.SampledWholeRows:])
		}
		number, stack, good := decodeStack(data[abi.SampledStackRest:])
		if good {
			s.AddStack(number, stack)
		}
		return set, end, good
	case abi.EventSampledValue:
		set, good = decodeSampledValue(data, s.addValue)
		return set, end, good
	case abi.EventSampledEnd:
		if len(data) != 8*abi.SampledEndWords {
			return 0, end, false
		}
		word := func(i int) int64 { return int64(binary.LittleEndian.Uint64(data[8*i:])) }
		*end = sampledEnd{uint32(word(abi.SampledEndSet)), word(abi.SampledEndEvents), word(abi.SampledEndLost)}
		return end.set, end, end.events >= 0 && end.lost >= 0
	}
	return 0, nil, false
}

// decodeSampledValue calls use with contents, and returns false for what is damaged.
func decodeSampledValue(data []byte, use func(made uint32, hash uint64, v sampledValue)) (set uint32, good bool) {
	if len(data) <= abi.SampledValueContents || len(data) > abi.SampledValueContents+abi.ReplicaValueBytes {
		return 0, false
	}
	pairs := binary.LittleEndian.Uint64(data[abi.SampledValuePairs:])
	if pairs == 0 || pairs > maxWords {
		return 0, false
	}
	use(binary.LittleEndian.Uint32(data[abi.SampledValueMade:]),
		binary.LittleEndian.Uint64(data[abi.SampledValueHash:]),
		sampledValue{int64(pairs), data[abi.SampledValueContents:]})
	return binary.LittleEndian.Uint32(data[abi.SampledValueSet:]), true
}

// encode makes the event.
func (v sampledValue) encode(set, made uint32, hash uint64) []byte {
	b := binary.LittleEndian.AppendUint32(nil, set)
	b = binary.LittleEndian.AppendUint32(b, made)
	b = binary.LittleEndian.AppendUint64(b, hash)
	b = binary.LittleEndian.AppendUint64(b, uint64(min(v.pairs, maxWords)))
	return append(b, v.contents...)
}

func (s *Samples) decodeRows(data []byte) bool {
	var n [abi.SampledNumbers]uint64
	for len(data) > 0 {
		var good bool
		if data, good = numbers(data, n[:]); !good {
			return false
		}
		var r sampledRow
		for i := range n {
			if n[i] > maxWords {
				return false
			}
			r[i] = int64(n[i])
		}
		if !r.isGood() {
			return false
		}
		made, read := uint32(r[abi.SampledMade]), uint32(r[abi.SampledRead])
		if read == 0 {
			s.addSampled(made, sampled{r[abi.SampledObjects], r[abi.SampledStandsFor], r[abi.SampledBytes]})
			continue
		}
		s.addPairs(made, read, compared{Pairs{
			Equal: r[abi.SampledEqual], Different: r[abi.SampledObjects] - r[abi.SampledEqual],
			Copies: r[abi.SampledCopies], Partial: r[abi.SampledPartial],
			Near: r[abi.SampledNear], NearEqual: r[abi.SampledNearEqual],
		}, r[abi.SampledStandsFor], r[abi.SampledBytes]})
	}
	return true
}

func appendWhole(b []byte, made uint32, hash uint64, objects int64) []byte {
	b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(made)), uint64(min(objects, maxWords)))
	return binary.LittleEndian.AppendUint64(b, hash)
}

func (s *Samples) decodeWhole(data []byte) bool {
	var n [2]uint64
	for len(data) > 0 {
		var good bool
		data, good = numbers(data, n[:])
		if !good || n[0] > math.MaxUint32 || n[1] == 0 || n[1] > maxWords || len(data) < 8 {
			return false
		}
		if s.contents > maxWhole {
			s.Lost = plus(s.Lost, 1)
			return true
		}
		s.addWhole(uint32(n[0]), binary.LittleEndian.Uint64(data), int64(n[1]))
		data = data[8:]
	}
	return true
}

func appendText(b []byte, text string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

func appendStack(b []byte, number uint32, stack *SampledStack) []byte {
	b = appendText(binary.AppendUvarint(b, uint64(number)), stack.Class)
	b = binary.AppendUvarint(b, uint64(len(stack.Frames)))
	for _, f := range stack.Frames {
		b = appendText(appendText(appendText(b, f.Class), f.Method), f.Descriptor)
		b = binary.AppendUvarint(b, uint64(f.Line))
	}
	return b
}

// stackReader takes a stack apart. What is damaged gives nothing.
type stackReader struct {
	rest    []byte
	damaged bool
}

func (r *stackReader) number(most uint64) uint64 {
	n, length := binary.Uvarint(r.rest)
	if r.damaged = r.damaged || length <= 0 || n > most; r.damaged {
		return 0
	}
	r.rest = r.rest[length:]
	return n
}

func (r *stackReader) text() string {
	n := r.number(maxText)
	if r.damaged = r.damaged || n > uint64(len(r.rest)); r.damaged {
		return ""
	}
	text := strings.Clone(string(r.rest[:n]))
	r.rest = r.rest[n:]
	return text
}

func decodeStack(data []byte) (number uint32, stack *SampledStack, good bool) {
	r := &stackReader{rest: data}
	number = uint32(r.number(math.MaxUint32))
	stack = &SampledStack{Class: r.text()}
	for range r.number(maxFrames) {
		f := SampledFrame{Class: r.text(), Method: r.text(), Descriptor: r.text()}
		f.Line = uint32(r.number(math.MaxUint32))
		if r.damaged {
			return 0, nil, false
		}
		stack.Frames = append(stack.Frames, f)
	}
	return number, stack, !r.damaged && len(r.rest) == 0
}
