package session

import (
	"fmt"
	"strings"
	"time"

	"mallard/internal/instrument"
	"mallard/internal/placement"
	"mallard/internal/trace"
	"mallard/internal/wire"
)

// maxHidden bounds the hidden classes that get counters: nobody says when the JVM unloads one whose loader lives on.
const maxHidden = 1 << 14

// hiddenClass answers for a class that is being hidden. It gets a counter for each site: those need no corrections and owe nothing in live frames, whose methods
// no later message could tell apart.
func (s *Session) hiddenClass(loader trace.LoaderID, p *wire.Payload) error {
	at := classKey{trace.LoaderID(p.Uint32()), p.String()}
	place := instrument.Place{Class: at.name, Source: p.String(), Method: p.String(), Descriptor: p.String()}
	code, pc, line, bytes := p.Bytes(), int32(p.Uint32()), p.Uint32(), p.Bytes()
	if err := p.Err(); err != nil {
		return err
	}
	started := time.Now()
	r, version, err := s.countHidden(bytes)
	micros := uint32(time.Since(started).Microseconds())
	var answer []byte
	if version != nil {
		answer = r.Bytes
	}
	if e := s.conn.Answer(wire.OK, answer); e != nil {
		return e
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		s.trouble("hidden", err.Error())
	}
	if version == nil {
		return nil
	}
	if strings.Contains(r.Name, "$$Lambda") { // LambdaMetafactory's name for them
		if bci, ok := s.bciOf(at, place.Method+place.Descriptor, code, int(pc)); ok {
			place.BCI, place.Line = bci, int(line)
			if line == 0 {
				place.Line = -1
			}
			r.PutAt(place)
		}
	}
	s.record(loader, version, r, uint32(len(bytes)), micros)
	return nil
}

// countHidden makes a hidden class count. The version is nil where it stays as it is.
func (s *Session) countHidden(bytes []byte) (*instrument.Result, *classVersion, error) {
	r, err := s.instrument(bytes, instrument.Options{Placement: placement.Site})
	if err != nil || r.Bytes == nil {
		return nil, nil, err
	}
	if s.hidden == maxHidden {
		return nil, nil, fmt.Errorf("hidden classes after the first %d have no counters", maxHidden)
	}
	base, err := s.takeCounters(r)
	if err != nil {
		return nil, nil, err
	}
	s.hidden++
	r.Patch(uint32(base))
	return r, &classVersion{counters: counterRange{base, base + trace.CounterID(r.Counters)}}, nil
}

// bciOf gives the position in the class file, as it was, of the instruction at pc of a method that is running; false if it is not known.
func (s *Session) bciOf(key classKey, method string, code []byte, pc int) (int, bool) {
	if key.name == "" || pc < 0 {
		return 0, false
	}
	counts := false
	if c := s.classes[key]; c != nil {
		for _, v := range c.versions {
			m, err := v.method(method)
			if err != nil {
				return 0, false
			}
			if m != nil {
				if m.method.Has(code) {
					return m.method.ReferenceAt(pc)
				}
				counts = true
			}
		}
	}
	return pc, !counts
}
