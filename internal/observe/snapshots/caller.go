package snapshots

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"

	"mallard/internal/profile"
	"mallard/internal/wire"
)

// caller takes snapshots of which a class of the user's is told.
type caller struct {
	observer

	// What it has been told; for the goroutine that answers its thread.
	amount profile.Amount
	until  time.Time
}

// Flags tell the agent to call the class.
func (c *caller) Flags() uint32 { return wire.SnapshotCallback | c.observer.Flags() }

// Control converses with the thread of the agent that calls the class: it takes a snapshot when that wants one, and says
// what has been allocated since the last.
func (c *caller) Control(conn *wire.Conn, stop <-chan struct{}) {
	if _, err := conn.Receive(); err != nil || conn.Answer(wire.OK, append([]byte(c.class), 0)) != nil {
		return
	}
	every := c.every.Time
	for {
		f, err := conn.Receive()
		if err != nil {
			if !errors.Is(err, io.EOF) {
				c.host.Log.Debug("calling back ended", "error", err)
			}
			return
		}
		p := wire.NewPayload(f.Payload)
		next, thrown := time.Duration(p.Uint64()), p.String()
		if p.Err() != nil {
			return
		}
		if thrown != "" {
			c.failed(thrown)
			conn.Answer(wire.OK, nil)
			return
		}
		if c.byBytecodes() {
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
		c.host.Fault("callback")
		now, at, ok := c.host.Measure()
		if !ok || conn.Answer(wire.OK, c.since(now, at)) != nil {
			return
		}
	}
}

// failed says that the class is called no more.
func (c *caller) failed(thrown string) {
	text := fmt.Sprintf("%s is not called at snapshots any more: %s", c.class, thrown)
	if c.host.Say != nil {
		c.host.Say(text)
	}
	c.host.Recording.Loss("on-snapshot", text)
}

// Handle takes a snapshot for a thread that waits for it, and calls the class then if it says so.
func (c *caller) Handle(_ wire.Type, p *wire.Payload) (answer []byte, err error) {
	called := p.Uint32() != 0
	if err := p.Err(); err != nil {
		return nil, err
	}
	now, at, ok := c.host.Measure()
	if !called || !ok {
		return nil, nil
	}
	return c.since(now, at), nil
}

// since gives what the class is told next.
func (c *caller) since(now profile.Amount, at time.Time) []byte {
	b := binary.LittleEndian.AppendUint64(nil, uint64(at.Sub(c.until)))
	for _, n := range []int64{now.Objects - c.amount.Objects, now.Bytes - c.amount.Bytes, now.Bytecodes - c.amount.Bytecodes} {
		b = binary.LittleEndian.AppendUint64(b, uint64(n))
	}
	c.amount, c.until = now, at
	return b
}
