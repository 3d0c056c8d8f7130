package snapshots

import (
	"errors"
	"fmt"
	"io"
	"time"

	"mallard/internal/abi"
	"mallard/internal/profile"
	"mallard/internal/transport"
)

// caller takes snapshots of which a class of the user's is told.
type caller struct {
	observer

	// What it has been told; for the goroutine that answers its thread.
	amount profile.Amount
	until  time.Time
}

// Flags tell the agent to call the class.
func (c *caller) Flags() uint32 { return abi.SnapshotCallback | c.observer.Flags() }

// Control converses with the thread of the agent that calls the class: it takes a snapshot when that wants one, and
// says what has been allocated since the last.
func (c *caller) Control(conn *transport.Conn, stop <-chan struct{}) {
	if _, err := conn.Receive(); err != nil || conn.Answer(abi.OK, []byte(c.class)) != nil {
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
		var m transport.NextSnapshot
		if m.Decode(f.Payload) != nil {
			return
		}
		if m.Failure != "" {
			c.failed(m.Failure)
			conn.Answer(abi.OK, nil)
			return
		}
		if c.byBytecodes() {
			return // threads ask, and know what the class has chosen
		}
		if m.Next > 0 {
			every = time.Duration(m.Next)
		}
		select {
		case <-stop:
			return
		case <-time.After(every):
		}
		c.host.Fault("callback")
		now, at, ok := c.host.Measure()
		if !ok || conn.Answer(abi.OK, c.since(now, at)) != nil {
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

// Unanswered says what is lost where a thread did not wait for a snapshot.
func (c *caller) Unanswered(abi.Type) string { return "snapshots by bytecodes were not taken" }

// Handle takes a snapshot for a thread that waits for it, and calls the class then if it says so.
func (c *caller) Handle(f transport.Frame) (answer []byte, err error) {
	var m transport.Snapshot
	if err := m.Decode(f.Payload); err != nil {
		return nil, err
	}
	now, at, ok := c.host.Measure()
	if m.Called == 0 || !ok {
		return nil, nil
	}
	return c.since(now, at), nil
}

// since gives what the class is told next.
func (c *caller) since(now profile.Amount, at time.Time) []byte {
	m := transport.Metrics{
		Nanoseconds: uint64(at.Sub(c.until)), Objects: uint64(now.Objects - c.amount.Objects),
		Bytes: uint64(now.Bytes - c.amount.Bytes), Bytecodes: uint64(now.Bytecodes - c.amount.Bytecodes),
	}
	c.amount, c.until = now, at
	return m.Encode()
}
