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
	w := readLocation(p)
	bytes := p.Bytes()
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
		s.recording.Loss("hidden", err.Error())
	}
	if version == nil {
		return nil
	}
	if strings.Contains(r.Name, "$$Lambda") { // LambdaMetafactory's name for them
		if place, ok := s.find(w); ok {
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
