package session

import (
	"encoding/binary"
	"errors"
	"fmt"
	"runtime/debug"

	"mallard/internal/classes"
	"mallard/internal/counters"
	"mallard/internal/instrument"
	"mallard/internal/trace"
	"mallard/internal/wire"
)

// converse answers the agent. The error is io.EOF where it has gone. Our own mistakes end the conversation, and the program
// runs on.
func (s *Session) converse() (err error) {
	defer func() {
		if e := recover(); e != nil {
			s.log.Debug("session panicked", "error", e, "stack", string(debug.Stack()))
			err = fmt.Errorf("internal error: %v", e)
		}
	}()
	for {
		f, err := s.conn.Receive()
		if err != nil {
			return err
		}
		if _, err := s.readMessages(); err != nil {
			return err
		}
		s.fault(f.Type.String())
		if err := s.handle(f.Type, wire.NewPayload(f.Payload)); err != nil {
			return fmt.Errorf("%v: %w", f.Type, err)
		}
	}
}

// handle answers a message. It does nothing that waits for a disk, or for those that read all counters, but for threads
// that ask for a snapshot.
func (s *Session) handle(t wire.Type, p *wire.Payload) error {
	switch t {
	case wire.Class:
		return s.class(p)
	case wire.CodeLocation:
		return s.codeLocation(p)
	case wire.LoadersGone:
		return s.unload(p)
	case wire.RingFull:
		return s.conn.Answer(wire.OK, nil)
	case wire.Runtime:
		return s.runtimeClasses(p)
	case wire.Thread, wire.ThreadEnd:
		return s.thread(t, p)
	case wire.Death:
		return s.death(p)
	case wire.Loss:
		kind, count, detail := p.String(), p.Uint64(), p.String()
		if p.Err() == nil {
			s.recording.Put(&trace.Loss{Kind: kind, Count: count, Detail: detail})
		}
		return p.Err()
	}
	return s.observed(t, p)
}

// observed has an observer answer.
func (s *Session) observed(t wire.Type, p *wire.Payload) error {
	o := s.handlers[t]
	if o == nil {
		return errors.New("unexpected frame")
	}
	answer, err := o.Handle(t, p)
	if err != nil {
		return err
	}
	return s.conn.Answer(wire.OK, answer)
}

// runtimeClasses answers with the runtime classes for this JVM, made by what the agent has found there.
func (s *Session) runtimeClasses(p *wire.Payload) error {
	for i := range s.facts.ArrayBase {
		s.facts.ArrayBase[i] = p.Uint32()
	}
	s.facts.Reference, s.facts.Alignment = p.Uint32(), p.Uint32()
	s.facts.Klass, s.facts.Layout, s.facts.Virtual = p.Uint32(), p.Uint32(), p.Uint32()
	start, agents := p.Uint64(), p.Uint64()
	if p.Err() != nil {
		return p.Err()
	}
	s.describe()
	s.counting.Post(func() { s.threads.Start, s.threads.Agents = start, agents })
	list, err := instrument.Runtime(s.runtime, s.facts)
	if err != nil {
		return err
	}
	return s.conn.Answer(wire.OK, wire.Blocks(list))
}

// thread has the beginning or the end of a thread noted.
func (s *Session) thread(t wire.Type, p *wire.Payload) error {
	block, flags, name := counters.Block(p.Uint32()), p.Uint32(), p.String()
	var allocated uint64
	if t == wire.ThreadEnd {
		allocated = p.Uint64()
	}
	if p.Err() != nil {
		return p.Err()
	}
	if err := s.memory.Check(block); err != nil {
		return err
	}
	s.counting.Post(func() {
		s.fault("thread")
		if t == wire.Thread {
			s.threads.Announce(block, flags, name)
		} else {
			s.threads.End(block, flags, name, allocated)
		}
	})
	return nil
}

// class answers for a class that is being defined, or changed.
func (s *Session) class(p *wire.Payload) error {
	loader, flags, name := trace.LoaderID(p.Uint32()), p.Uint32(), p.String()
	if flags&wire.ClassHidden != 0 {
		at := readLocation(p)
		class := p.Bytes()
		if err := p.Err(); err != nil {
			return err
		}
		return s.conn.Answer(wire.OK, s.classes.LoadHidden(loader, at, class).Bytes)
	}
	class := p.Bytes()
	if err := p.Err(); err != nil {
		return err
	}
	redefined := flags&wire.ClassRedefined != 0
	if redefined && loader == 0 && instrument.IsRuntime(name) {
		return s.runtimeClass(name)
	}
	answer := s.classes.Load(classes.Key{Loader: loader, Name: name}, class, redefined)
	err := s.conn.Answer(wire.OK, answer.Bytes)
	answer.After()
	return err
}

// runtimeClass answers for a runtime class that is changed in the JVM, because a thread enters a transaction.
func (s *Session) runtimeClass(name string) error {
	facts := s.facts
	if s.contexts == nil || !s.contexts.Entered(&facts) {
		return s.conn.Answer(wire.OK, nil)
	}
	class, err := instrument.RuntimeClass(s.runtime, name, facts)
	if err != nil {
		return err
	}
	return s.conn.Answer(wire.OK, class)
}

// readLocation reads an instruction of a running method.
func readLocation(p *wire.Payload) classes.Location {
	at := classes.Location{Key: classes.Key{Loader: trace.LoaderID(p.Uint32()), Name: p.String()}}
	at.Place = instrument.CodeLocation{Class: at.Key.Name, Source: p.String(), Method: p.String(), Descriptor: p.String()}
	at.Code = p.Bytes()
	at.Place.BCI, at.Place.Line = int(int32(p.Uint32())), int(p.Uint32())
	if at.Place.Line == 0 {
		at.Place.Line = -1
	}
	return at
}

// codeLocation answers for objects that the JVM makes at a location by itself, with the first of their counters.
func (s *Session) codeLocation(p *wire.Payload) error {
	at := readLocation(p)
	var types []string
	for p.More() {
		types = append(types, p.String())
	}
	if err := p.Err(); err != nil {
		return err
	}
	var answer []byte
	if first, ok := s.classes.Makes(at, types); ok {
		answer = binary.LittleEndian.AppendUint32(nil, uint32(first))
	}
	return s.conn.Answer(wire.OK, answer)
}

// unload forgets the classes of loaders that the collector has freed. No frame and no object of theirs is left, so their
// counts are final: they are recorded, and the numbers are free for other classes.
func (s *Session) unload(p *wire.Payload) error {
	var loaders []trace.LoaderID
	for p.More() {
		loaders = append(loaders, trace.LoaderID(p.Uint32()))
	}
	if err := p.Err(); err != nil {
		return err
	}
	gone := s.classes.Unload(loaders)
	if len(gone.Classes) == 0 {
		return nil
	}
	s.counting.Post(func() {
		s.fault("unload")
		if s.recording.Finished() {
			return
		}
		s.snapshot(&trace.Mark{}, false)
		for _, id := range gone.Classes {
			s.recording.Put(&trace.Retired{Class: id})
		}
		s.threads.Recycle(gone.Counters)
	})
	return nil
}
