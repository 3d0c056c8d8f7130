package main

import (
	"hash/maphash"
	"net"
	"slices"
	"sync/atomic"

	"mallard/internal/instrument"
	"mallard/internal/payload"
	"mallard/internal/placement"
	"mallard/internal/wire"
)

// A partialRecorder talks to Mallard's agent as the product's recorder does, but records nothing and keeps no counts,
// and does only a part of the work on classes.
type partialRecorder struct {
	net.Listener
	path   string
	answer func(c *conversation, name string, class []byte) []byte // nil: the class stays as it is
	ended  atomic.Int64                                            // JVMs that were profiled to their end
}

// A conversation is with one JVM.
type conversation struct {
	counters uint32 // given so far
}

// listenPartial begins to serve JVMs, one at a time.
func listenPartial(path string, answer func(*conversation, string, []byte) []byte) (*partialRecorder, error) {
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, err
	}
	r := &partialRecorder{Listener: listener, path: path, answer: answer}
	go func() {
		for {
			c, err := listener.AcceptUnix()
			if err != nil {
				return
			}
			// An agent that is left without an answer lets its program run on: the caller has to look at ended.
			if conn, err := wire.NewConn(c); err == nil {
				r.serve(conn)
				conn.Close()
			}
		}
	}()
	return r, nil
}

func (r *partialRecorder) serve(conn *wire.Conn) {
	frame, memory, idle, err := conn.ReceiveHello()
	if err != nil {
		return
	}
	defer memory.Close()
	defer idle.Close()
	facts := readFacts(wire.NewPayload(frame.Payload))
	runtime, err := payload.Runtime()
	if err != nil {
		conn.Answer(wire.Refuse, []byte(err.Error()))
		return
	}
	var c conversation
	for err := conn.Answer(wire.OK, nil); err == nil; {
		if frame, err = conn.Receive(); err != nil {
			return
		}
		switch p := wire.NewPayload(frame.Payload); frame.Type {
		case wire.Runtime:
			readLayout(p, &facts)
			var classes [][]byte
			if classes, err = instrument.Runtime(runtime, facts); err == nil {
				err = conn.Answer(wire.OK, wire.Blocks(classes))
			}
		case wire.Class:
			p.Uint32()
			p.Uint32()
			name := p.String()
			err = conn.Answer(wire.OK, r.answer(&c, name, p.Bytes()))
		case wire.Death:
			r.ended.Add(1)
			err = conn.Answer(wire.OK, nil)
		default:
			if slices.ContainsFunc(wire.Messages, func(m wire.Message) bool {
				return m.Type == frame.Type &&
					m.Request
			}) {
				err = conn.Answer(wire.OK, nil)
			}
		}
	}
}

// readFacts reads a Hello frame as package session does.
func readFacts(p *wire.Payload) instrument.Facts {
	p.Uint32() // version
	p.Uint32() // process
	f := instrument.Facts{Feature: int(p.Uint32())}
	address := p.Uint64()
	count, blockBytes := p.Uint32(), uint64(p.Uint32())
	p.Uint64() // bytes of the arena
	f.Blocks = instrument.CounterBlocks{States: address, Count: count, First: address + wire.BlocksOffset,
		Shared: p.Uint64(), Bytes: blockBytes,
		Primordial: address + wire.BlocksOffset + wire.PrimordialBlock*blockBytes}
	return f
}

// readLayout reads a Runtime frame as package session does.
func readLayout(p *wire.Payload, f *instrument.Facts) {
	for i := range f.ArrayBase {
		f.ArrayBase[i] = p.Uint32()
	}
	f.Reference, f.Alignment = p.Uint32(), p.Uint32()
	f.Klass, f.Layout, f.Virtual = p.Uint32(), p.Uint32(), p.Uint32()
}

// rewrite gives a class its counters, as the product does; nil for a class that stays as it is.
func rewrite(c *conversation, _ string, class []byte) []byte {
	result, err := instrument.Rewrite(class, instrument.Options{Placement: placement.Optimal})
	if err != nil || result.Bytes == nil {
		return nil
	}
	result.Patch(c.counters)
	c.counters += uint32(result.Counters)
	return result.Bytes
}

// rewriteThreads changes only the classes that hold the address of a thread's counter block: without them there is no
// agent.
func rewriteThreads(c *conversation, name string, class []byte) []byte {
	if name != "java/lang/Thread" && name != "java/lang/VirtualThread" {
		return nil
	}
	return rewrite(c, name, class)
}

// remembered answers from memory with what an earlier run got, and rewrites only what was not seen before.
func remembered() func(*conversation, string, []byte) []byte {
	seed := maphash.MakeSeed()
	known := map[uint64][]byte{}
	var all conversation // counters are those of all runs: a class keeps its own
	return func(_ *conversation, name string, class []byte) []byte {
		key := maphash.Bytes(seed, class)
		answer, ok := known[key]
		if !ok {
			answer = rewrite(&all, name, class)
			known[key] = answer
		}
		return answer
	}
}
