package session

import (
	"strings"

	"mallard/internal/trace"
	"mallard/internal/wire"
)

// Snapshots by bytecodes: a thread that has executed as many as are between two of them asks for one, and waits. Counted are those of the program's own classes: how many the JDK
// executes depends on when its methods are compiled (the compilers have code of their own for some), on where files are, and on random numbers.

// byBytecodes reports whether snapshots are taken every so many bytecodes.
func (s *Session) byBytecodes() bool { return s.options.Snapshots.Bytecodes > 0 }

// jdkLoader reports whether a class loader, by its class, has classes of the JDK alone.
func jdkLoader(class string) bool {
	return strings.HasPrefix(class, "jdk/internal/") && class != "jdk/internal/loader/ClassLoaders$AppClassLoader"
}

// programs reports whether a loader has classes of the program.
func (s *Session) programs(loader trace.LoaderID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return loader != 0 && !s.jdkLoaders[loader]
}

// stepped takes a snapshot for a thread that waits for it. If a class of the user's is to be told, the answer is what it is told.
func (s *Session) executed(p *wire.Payload) error {
	called := p.Uint32() != 0
	if err := p.Err(); err != nil {
		return err
	}
	now, at, ok := s.measure()
	if called && ok && s.options.OnSnapshot != "" {
		return s.conn.Answer(wire.OK, s.told.since(now, at))
	}
	return s.conn.Answer(wire.OK, nil)
}

// steps is how many bytecodes all threads have executed in classes of the program.
func (s *Session) steps() uint64 {
	sum := s.endedBytecodes
	for _, block := range s.blocks.used() {
		sum += s.blocks.word(block, wire.BytecodesWord)
	}
	return sum
}
