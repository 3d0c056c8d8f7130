package session

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"

	"mallard/internal/profile"
	"mallard/internal/wire"
)

// callBack converses with the thread of the agent that calls a class of the user's: it takes a snapshot when that wants
// one, and says what has been allocated since the last.
func (s *Session) callBack(stop <-chan struct{}) {
	if _, err := s.control.Receive(); err != nil || s.control.Answer(wire.OK, append([]byte(s.options.OnSnapshot), 0)) != nil {
		return
	}
	every := s.options.interval()
	for {
		f, err := s.control.Receive()
		if err != nil {
			if !errors.Is(err, io.EOF) {
				s.log.Debug("calling back ended", "error", err)
			}
			return
		}
		p := wire.NewPayload(f.Payload)
		next, thrown := time.Duration(p.Uint64()), p.String()
		if p.Err() != nil {
			return
		}
		if thrown != "" {
			s.callFailed(thrown)
			s.control.Answer(wire.OK, nil)
			return
		}
		if s.byBytecodes() {
			return // threads ask, and know what the class has chosen
		}
		if next > 0 {
			every = next
		}
		select {
		case <-stop:
			return
		case <-time.After(every):
		}
		now, at, ok := s.measure()
		if !ok {
			return
		}
		if s.control.Answer(wire.OK, s.told.since(now, at)) != nil {
			return
		}
	}
}

// callFailed says that the user's class is called no more.
func (s *Session) callFailed(thrown string) {
	text := fmt.Sprintf("%s is not called at snapshots any more: %s", s.options.OnSnapshot, thrown)
	if s.options.Say != nil {
		s.options.Say(text)
	}
	s.recording.Loss("on-snapshot", text)
}

// callbackState is what a class of the user's has been told.
type callbackState struct {
	amount profile.Amount
	until  time.Time
}

// since gives what it is told next.
func (t *callbackState) since(now profile.Amount, at time.Time) []byte {
	b := binary.LittleEndian.AppendUint64(nil, uint64(at.Sub(t.until)))
	for _, n := range []int64{now.Objects - t.amount.Objects, now.Bytes - t.amount.Bytes, now.Bytecodes - t.amount.Bytecodes} {
		b = binary.LittleEndian.AppendUint64(b, uint64(n))
	}
	t.amount, t.until = now, at
	return b
}
