package main

import (
	"hash/maphash"
	"net"
	"slices"
	"sync/atomic"

	"mallard/internal/abi"
	"mallard/internal/instrument"
	"mallard/internal/payload"
	"mallard/internal/placement"
	product "mallard/internal/session"
	"mallard/internal/transport"
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
			if conn, err := transport.NewConn(c); err == nil {
				r.serve(conn)
				conn.Close()
			}
		}
	}()
	return r, nil
}

func (r *partialRecorder) serve(conn *transport.Conn) {
	frame, files, err := conn.ReceiveHello()
	if err != nil {
		return
	}
	defer files.Close()
	var hello transport.Hello
	if hello.Decode(frame.Payload) != nil {
		return
	}
	facts := product.Facts(&hello)
	runtime, err := payload.Runtime()
	if err != nil {
		conn.Answer(abi.Refuse, []byte(err.Error()))
		return
	}
	var c conversation
	classes, err := product.Runtime(runtime, facts)
	if err != nil {
		conn.Answer(abi.Refuse, []byte(err.Error()))
		return
	}
	for err := conn.Answer(abi.OK, (&transport.HelloAnswer{Runtime: classes}).Encode()); err == nil; {
		if frame, err = conn.Receive(); err != nil {
			return
		}
		switch frame.Type {
		case abi.Class:
			err = transport.Handle(frame.Payload, func(m *transport.Class) error {
				return conn.Answer(abi.OK, r.answer(&c, m.Name, m.File))
			})
		case abi.Death:
			r.ended.Add(1)
			err = conn.Answer(abi.OK, nil)
		default:
			request := func(m abi.Message) bool { return m.Type == frame.Type && m.Request }
			if slices.ContainsFunc(abi.Messages, request) {
				err = conn.Answer(abi.OK, nil)
			}
		}
	}
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
