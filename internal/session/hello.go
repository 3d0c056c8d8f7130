package session

import (
	"fmt"
	"os"

	"mallard/internal/instrument"
	"mallard/internal/wire"
)

// minimumFeature is the oldest JDK whose HotSpot Mallard knows.
const minimumFeature = 17

// Hello is what an agent says of itself and its JVM first.
type Hello struct {
	pid                        int
	facts                      instrument.Facts
	collector, vmName, version string
	options                    string   // what -agentpath has behind the library
	memory                     *os.File // of the blocks; to be closed
	control                    *os.File // control channel, nil without; to be closed
	blocks, blockBytes         uint32
	memoryAddress, arena       uint64 // in the JVM; bytes
}

// ReceiveHello reads the first frame. A JVM that cannot be recorded has been told so, with the reason, when it gives an error.
func ReceiveHello(conn *wire.Conn) (*Hello, error) {
	frame, memory, control, err := conn.ReceiveHello()
	if err != nil {
		return nil, err
	}
	h := &Hello{memory: memory, control: control}
	if err := h.read(wire.NewPayload(frame.Payload)); err != nil {
		h.Refuse(conn, err)
		return nil, err
	}
	return h, nil
}

// Options is what -agentpath has behind the library.
func (h *Hello) Options() string { return h.options }

// Refuse tells the agent why it is not wanted.
func (h *Hello) Refuse(conn *wire.Conn, why error) {
	h.memory.Close()
	h.control.Close()
	conn.Answer(wire.Refuse, []byte(why.Error()))
}

func (h *Hello) read(p *wire.Payload) error {
	version := p.Uint32()
	h.pid = int(p.Uint32())
	h.facts.Feature = int(p.Uint32())
	address := p.Uint64()
	h.memoryAddress = address
	h.blocks, h.blockBytes, h.arena = p.Uint32(), p.Uint32(), p.Uint64()
	shared := p.Uint64()
	h.facts.Blocks = instrument.CounterBlocks{States: address, Count: h.blocks, First: address + wire.BlocksOffset, Shared: shared, Bytes: uint64(h.blockBytes),
		Primordial: address + wire.BlocksOffset + wire.PrimordialBlock*uint64(h.blockBytes)}
	h.collector, h.vmName, h.version, h.options = p.String(), p.String(), p.String(), p.String()
	switch {
	case version == wire.Version && p.Err() != nil:
		return fmt.Errorf("HELLO: %w", p.Err())
	case version != wire.Version:
		return fmt.Errorf("the agent speaks version %d of the protocol, this mallard %d; use the library that `mallard agentpath` prints", version, wire.Version)
	case h.facts.Feature < minimumFeature:
		return fmt.Errorf("this JVM (%s %s) is older than JDK %d, which Mallard needs", h.vmName, h.version, minimumFeature)
	}
	return nil
}
