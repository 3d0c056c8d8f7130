package session

import (
	"encoding/binary"
	"fmt"
	"strings"

	"mallard/internal/instrument"
	"mallard/internal/trace"
	"mallard/internal/wire"
)

// maxLocations bounds the places at which the JVM makes objects that get counters; they keep them as long as their loader lives.
const maxLocations = 1 << 16

// where is an instruction of a running method, as the agent sees it.
type where struct {
	key   classKey
	place instrument.Place // BCI is in the code that runs
	code  []byte
}

func readLocation(p *wire.Payload) where {
	w := where{key: classKey{trace.LoaderID(p.Uint32()), p.String()}}
	w.place = instrument.Place{Class: w.key.name, Source: p.String(), Method: p.String(), Descriptor: p.String()}
	w.code = p.Bytes()
	w.place.BCI, w.place.Line = int(int32(p.Uint32())), int(p.Uint32())
	if w.place.Line == 0 {
		w.place.Line = -1
	}
	return w
}

// find gives the place in the class file as it was; false if it is not known.
func (s *Session) find(w where) (instrument.Place, bool) {
	place, counts := w.place, false
	if w.key.name == "" || place.BCI < 0 {
		return place, false
	}
	if name, _, hidden := strings.Cut(place.Class, "."); hidden { // the JVM has put an address behind the name in the class file
		place.Class, place.BCI = name, -1
		return place, true
	}
	if c := s.classes[w.key]; c != nil {
		for _, v := range c.versions {
			m, err := v.method(place.Method + place.Descriptor)
			if err != nil {
				return place, false
			}
			if m != nil && m.method.Has(w.code) {
				place.BCI = m.method.BCIAt(place.BCI)
				return place, true
			}
			counts = counts || m != nil
		}
	}
	return place, !counts
}

// place answers for objects that the JVM makes at a place by itself, with the counters that they get.
func (s *Session) place(p *wire.Payload) error {
	w := readLocation(p)
	var types []string
	for p.More() {
		types = append(types, p.String())
	}
	if err := p.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	place, ok := s.find(w)
	s.mu.Unlock()
	if !ok {
		place.BCI = -1 // the line is right, whoever changed the code
	}
	r := place.Makes(types...)
	base, err := s.takePlace(r)
	var answer []byte
	if err == nil {
		answer = binary.LittleEndian.AppendUint32(nil, uint32(base))
	}
	if e := s.conn.Answer(wire.OK, answer); e != nil {
		return e
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		s.recording.Loss("code-locations", err.Error())
		return nil
	}
	s.record(w.key.loader, &classVersion{counters: counterRange{base, base + trace.CounterID(r.Counters)}}, r, 0, 0)
	return nil
}

func (s *Session) takePlace(r *instrument.Result) (trace.CounterID, error) {
	if s.places == maxLocations {
		return 0, fmt.Errorf("objects that the JVM makes by itself at more places than %d are not counted", maxLocations)
	}
	s.places++
	return s.takeCounters(r)
}
