package heaptest

import (
	"bytes"
	"encoding/binary"

	"mallard/internal/abi"
	"mallard/internal/trace"
)

// A Follower is a heap.Follower.
type Follower interface {
	Take(kind uint16, data []byte)
	Keyframe() []*trace.EventsKeyframe
}

// Keyframes makes a recording as a recorder does: with a keyframe where enough was written since the last one.
func Keyframes(e *Events, f Follower) ([]byte, error) {
	k := keyframes{follower: f}
	k.w = trace.NewWriter(&k.out)
	k.write(&trace.Process{JVMVersion: "25+36", GC: "G1", Track: []string{"objects"}, Started: 1})
	for _, record := range e.All() {
		for kind, data := range record.All() {
			k.write(&trace.Events{Observer: "objects", Data: data,
				Headers: []trace.EventHeader{{Kind: kind, Bytes: uint32(len(data))}}})
			f.Take(kind, data)
			if kind == abi.EventHeapWalk {
				k.walked(data)
			}
		}
	}
	k.write(&trace.End{Nanos: k.start + 1, Complete: true})
	k.flush()
	return k.out.Bytes(), k.err
}

type keyframes struct {
	follower Follower
	out      bytes.Buffer
	w        *trace.Writer
	err      error
	walks    int
	start    int64 // of the last walk
}

func (k *keyframes) write(r trace.Record) {
	if k.err == nil {
		k.err = k.w.Write(r)
	}
}

func (k *keyframes) flush() {
	if k.err == nil {
		k.err = k.w.Flush()
	}
}

// walked takes the end of a walk.
func (k *keyframes) walked(data []byte) {
	k.walks++
	k.start = int64(binary.LittleEndian.Uint64(data[8*abi.HeapWalkStart:]))
	if k.walks%50 == 0 && k.w.KeyframeDue() {
		k.write(&trace.Keyframe{Nanos: k.start})
		for _, part := range k.follower.Keyframe() {
			k.write(part)
		}
		k.write(&trace.Mark{Nanos: k.start})
	}
	if k.walks%20 == 0 {
		k.flush()
	}
}
