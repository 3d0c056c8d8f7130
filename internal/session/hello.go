package session

import (
	"fmt"

	"mallard/internal/abi"
	"mallard/internal/instrument"
	"mallard/internal/transport"
)

// minimumFeature is the oldest JDK whose HotSpot Mallard knows.
const minimumFeature = 17

// Hello is what an agent says of itself and its JVM first.
type Hello struct {
	pid                        int
	facts                      instrument.Facts
	collector, vmName, version string
	options                    string // what -agentpath has behind the library
	files                      transport.HelloFiles
	blocks, blockBytes         uint32
	firstCounter               uint32
	memoryAddress, arena       uint64 // in the JVM; bytes
}

// ReceiveHello reads the first frame. A JVM that cannot be recorded has been told so, with the reason, when it gives an
// error.
func ReceiveHello(conn *transport.Conn) (*Hello, error) {
	frame, files, err := conn.ReceiveHello()
	if err != nil {
		return nil, err
	}
	h := &Hello{files: files}
	h.pid, _, err = conn.Peer()
	if err == nil {
		err = h.read(frame.Payload)
	}
	if err != nil {
		h.Refuse(conn, err)
		return nil, err
	}
	return h, nil
}

// Options is what -agentpath has behind the library.
func (h *Hello) Options() string { return h.options }

// Refuse tells the agent why it is not wanted.
func (h *Hello) Refuse(conn *transport.Conn, why error) {
	h.files.Close()
	conn.Answer(abi.Refuse, []byte(why.Error()))
}

// Facts are those that an agent knows from the start; see [LearnFacts].
func Facts(m *transport.Hello) instrument.Facts {
	first := m.Memory + abi.BlocksOffset
	return instrument.Facts{
		Feature: int(m.Feature),
		Blocks: instrument.CounterBlocks{
			States: m.Memory, Count: m.Blocks, First: first, Shared: m.Shared, Bytes: uint64(m.BlockBytes),
			Primordial: first + abi.PrimordialBlock*uint64(m.BlockBytes),
		},
	}
}

// Runtime makes the runtime classes for an agent.
func Runtime(classes map[string][]byte, f instrument.Facts) ([]transport.RuntimeClass, error) {
	files, err := instrument.Runtime(classes, f)
	if err != nil {
		return nil, err
	}
	var list []transport.RuntimeClass
	for _, file := range files {
		class := transport.RuntimeClass{Name: file.Name, File: file.File}
		for _, l := range file.Late {
			class.Late = append(class.Late, transport.LateFact{Offset: l.Offset, Fact: l.Fact})
		}
		list = append(list, class)
	}
	return list, nil
}

// LearnFacts adds those that the agent has written into the runtime classes.
func LearnFacts(f *instrument.Facts, m *transport.Runtime) error {
	if m.ArrayBase1 != m.ArrayBase2 || m.ArrayBase1 != m.ArrayBase4 {
		return fmt.Errorf("arrays of small elements have different headers: %d, %d and %d bytes", m.ArrayBase1,
			m.ArrayBase2, m.ArrayBase4)
	}
	f.ArrayBase = [5]uint32{m.ArrayBase1, m.ArrayBase2, m.ArrayBase4, m.ArrayBase8, m.ArrayBaseRef}
	f.Reference, f.Alignment = m.Reference, m.Alignment
	f.Klass, f.Layout, f.Virtual = m.Klass, m.LayoutHelper, m.Virtual
	return nil
}

func (h *Hello) read(payload []byte) error {
	var m transport.Hello
	err := m.Decode(payload)
	h.memoryAddress, h.blocks, h.blockBytes, h.arena = m.Memory, m.Blocks, m.BlockBytes, m.ArenaBytes
	h.facts, h.firstCounter = Facts(&m), m.FirstCounter
	h.collector, h.vmName, h.version, h.options = m.Collector, m.VMName, m.VMVersion, m.Options
	switch {
	case m.Version == abi.Version && err != nil:
		return fmt.Errorf("%v: %w", abi.Hello, err)
	case m.Version != abi.Version:
		return fmt.Errorf("the agent speaks version %d of the protocol, this mallard %d; use the library that "+
			"`mallard agentpath` prints", m.Version, abi.Version)
	case h.facts.Feature < minimumFeature:
		return fmt.Errorf("this JVM (%s %s) is older than JDK %d, which Mallard needs", h.vmName, h.version,
			minimumFeature)
	}
	return nil
}
