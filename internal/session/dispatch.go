package session

import (
	"errors"
	"fmt"
	"runtime/debug"

	"mallard/internal/abi"
	"mallard/internal/classes"
	"mallard/internal/counters"
	"mallard/internal/instrument"
	"mallard/internal/trace"
	"mallard/internal/transport"
)

// converse answers the agent. The error is io.EOF where it has gone. Our own mistakes end the conversation, and the
// program runs on.
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
		if err := s.guard(f); err != nil {
			return fmt.Errorf("%v: %w", f.Type, err)
		}
	}
}

// guard handles a message. A mistake of ours about a class leaves that class as it is, if it has no answer yet; any
// other ends the conversation.
func (s *Session) guard(f transport.Frame) (err error) {
	answers := s.conn.Answers()
	defer func() {
		e := recover()
		switch {
		case e == nil:
		case f.Type == abi.Class || f.Type == abi.HiddenClass:
			s.log.Debug("a class panicked", "error", e, "stack", string(debug.Stack()))
			s.panicked(e)
			if s.conn.Answers() == answers {
				err = s.conn.Answer(abi.OK, nil)
			}
		default:
			panic(e)
		}
	}()
	s.fault(f.Type.String())
	return s.handle(f)
}

// handle answers a message. It does nothing that waits for a disk, or for those that read all counters, but for threads
// that ask for a snapshot.
func (s *Session) handle(f transport.Frame) error {
	switch f.Type {
	case abi.Runtime:
		return transport.Handle(f.Payload, s.runtimeDefined)
	case abi.Class:
		return transport.Handle(f.Payload, s.class)
	case abi.HiddenClass:
		return transport.Handle(f.Payload, s.hiddenClass)
	case abi.CodeLocation:
		return transport.Handle(f.Payload, s.codeLocation)
	case abi.ClassMade:
		return transport.Handle(f.Payload, s.classMade)
	case abi.LoadersGone:
		return transport.Handle(f.Payload, s.unload)
	case abi.Thread:
		return transport.Handle(f.Payload, s.threadStarted)
	case abi.ThreadEnd:
		return transport.Handle(f.Payload, s.threadEnded)
	case abi.Loader, abi.ClassSizes, abi.ClassCached, abi.CountersMade, abi.SampledStack, abi.Sampled,
		abi.SampledPair, abi.SampledValue, abi.SampledWhole: // the ring was full
		return s.message(f)
	case abi.Unanswered:
		return transport.Handle(f.Payload, s.unanswered)
	case abi.ClassMissed:
		return transport.Handle(f.Payload, s.classMissed)
	case abi.LoadedClasses:
		return transport.Handle(f.Payload, s.loadedClasses)
	case abi.Loss:
		return transport.Handle(f.Payload, func(m *transport.Loss) error {
			s.recording.Put(&trace.Loss{Kind: m.Kind, Count: m.Count, Detail: m.Detail})
			return nil
		})
	case abi.Death:
		return transport.Handle(f.Payload, s.death)
	case abi.Command:
		return transport.Handle(f.Payload, s.command)
	case abi.Watched:
		return transport.Handle(f.Payload, s.watched)
	}
	return s.observed(f)
}

// command answers for a program that the JVM is about to start.
func (s *Session) command(m *transport.Command) error {
	var answer transport.CommandAnswer
	if s.options.Command != nil {
		answer = s.options.Command(s.pid, m)
	}
	return s.conn.Answer(abi.OK, answer.Encode())
}

// observed has an observer answer.
func (s *Session) observed(f transport.Frame) error {
	o := s.handlers[f.Type]
	if o == nil {
		return errors.New("unexpected frame")
	}
	answer, err := o.Handle(f)
	if err != nil {
		return err
	}
	return s.conn.Answer(abi.OK, answer)
}

// runtimeDefined takes what the agent has found in this JVM when it defined the runtime classes.
func (s *Session) runtimeDefined(m *transport.Runtime) error {
	if err := LearnFacts(&s.facts, m); err != nil {
		return err
	}
	s.describe()
	start, agents := m.Allocated, m.Agents
	s.counting.Post(func() { s.threads.Start, s.threads.Agents = start, agents })
	return nil
}

// threadStarted has a thread noted, or what more is known of it.
func (s *Session) threadStarted(m *transport.Thread) error {
	if err := s.memory.Check(counters.Block(m.Thread.Block)); err != nil {
		return err
	}
	s.counting.Post(func() {
		s.fault("thread")
		s.threads.Describe(&m.Thread)
	})
	return nil
}

// threadEnded has the end of a thread noted.
func (s *Session) threadEnded(m *transport.ThreadEnd) error {
	if err := s.memory.Check(counters.Block(m.Thread.Block)); err != nil {
		return err
	}
	s.counting.Post(func() {
		s.fault("thread")
		s.threads.End(m)
	})
	return nil
}

// class answers for a class that is being defined, or changed.
func (s *Session) class(m *transport.Class) error {
	loader, redefined := trace.LoaderID(m.Loader), m.Flags&abi.ClassRedefined != 0
	if redefined && loader == 0 && instrument.IsRuntime(m.Name) {
		return s.runtimeClass(m.Name)
	}
	key := classes.Key{Loader: loader, Name: m.Name}
	file, err := s.parameters.complete(key, m)
	if err != nil {
		s.log.Debug("parameters of methods", "class", key.Name, "error", err)
		file = nil // it stays as it is
	}
	if file == nil || m.Flags&abi.ClassRestored != 0 { // as it was before the agent was attached
		return s.conn.Answer(abi.OK, file)
	}
	answer := s.classes.Load(key, file, redefined)
	if len(answer.Bytes) == 0 && len(m.Parameters) > 0 {
		answer.Bytes = file // it would lose them
	}
	err = s.conn.Answer(abi.OK, answer.Bytes)
	answer.After()
	return err
}

// hiddenClass answers for a hidden class.
func (s *Session) hiddenClass(m *transport.HiddenClass) error {
	return s.conn.Answer(abi.OK, s.classes.LoadHidden(trace.LoaderID(m.Loader), location(&m.For), m.File).Bytes)
}

// runtimeClass answers for a runtime class that is changed in the JVM, because a thread enters a transaction.
func (s *Session) runtimeClass(name string) error {
	facts := s.facts
	if s.contexts == nil || !s.contexts.Entered(&facts) {
		return s.conn.Answer(abi.OK, nil)
	}
	class, err := instrument.RuntimeClass(s.runtime, name, facts)
	if err != nil {
		return err
	}
	return s.conn.Answer(abi.OK, class)
}

// loadedClasses has those retransformed that were there before the agent was.
func (s *Session) loadedClasses(m *transport.LoadedClasses) error {
	keys := make([]classes.Key, len(m.Classes))
	for i := range m.Classes {
		keys[i] = classes.Key{Loader: trace.LoaderID(m.Classes[i].Loader),
			Name: transport.ClassName(m.Classes[i].Name)}
	}
	s.classes.Present(keys)
	return nil
}

// location is an instruction of a running method.
func location(m *transport.Instruction) classes.Location {
	at := classes.Location{
		Key: classes.Key{Loader: trace.LoaderID(m.Class.Loader), Name: m.Class.Name},
		CodeLocation: instrument.CodeLocation{
			Class: m.Class.Name, Source: m.Source, Method: m.Method, Descriptor: m.Descriptor, BCI: int(int32(m.PC)),
			Line: int(m.Line),
		},
		Code: m.Code,
	}
	if at.Line == 0 {
		at.Line = -1
	}
	return at
}

// codeLocation answers for objects that the JVM makes at a location by itself, with the first of their counters.
func (s *Session) codeLocation(m *transport.CodeLocation) error {
	var types []string
	for _, t := range m.Types {
		types = append(types, t.Name)
	}
	var answer []byte
	if first, ok := s.classes.ImplicitSites(location(&m.At), types); ok {
		answer = (&transport.CodeLocationAnswer{First: uint32(first)}).Encode()
	}
	return s.conn.Answer(abi.OK, answer)
}

// classMade answers for objects of a class that a call makes, with the first of their counters.
func (s *Session) classMade(m *transport.ClassMade) error {
	first, n := s.classes.MadeBy(trace.CounterID(m.Counter), m.Name)
	return s.conn.Answer(abi.OK, (&transport.ClassMadeAnswer{First: uint32(first), Counters: n}).Encode())
}

// unload forgets the classes of loaders that the collector has freed. No frame and no object of theirs is left, so
// their counts are final: they are recorded, and the numbers are free for other classes.
func (s *Session) unload(m *transport.LoadersGone) error {
	var loaders []trace.LoaderID
	for _, l := range m.Loaders {
		loaders = append(loaders, trace.LoaderID(l.Loader))
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
		gone.Recorded()
		s.threads.Recycle(gone.Counters)
	})
	return nil
}
