package transport

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"mallard/internal/abi"
)

// post does what the agent does.
func post(m *MessageRing, f []byte) {
	at := *m.word(abi.RingWritten)
	ring := m.memory[abi.RingData:]
	for i, b := range f {
		ring[(at+uint64(i))%abi.RingDataBytes] = b
	}
	*m.word(abi.RingWritten) += uint64(len(f))
}

// TestMessageRing goes around the ring a few times.
func TestMessageRing(t *testing.T) {
	m := NewMessageRing(make([]byte, abi.BlocksOffset))
	random := rand.New(rand.NewPCG(1, 2))
	for sent := 0; sent < 5*abi.RingDataBytes; {
		var want [][]byte
		for range 1 + random.IntN(20) {
			payload := bytes.Repeat([]byte{byte(random.Uint32())}, random.IntN(20_000))
			want = append(want, payload)
			post(m, frame(abi.Loader, payload))
			sent += len(payload)
		}
		for _, payload := range want {
			f, ok, err := m.Receive()
			if err != nil || !ok || f.Type != abi.Loader || !bytes.Equal(f.Payload, payload) {
				t.Fatalf("%v %v, %v with %d bytes; want %d", ok, err, f.Type, len(f.Payload), len(payload))
			}
		}
		if _, ok, err := m.Receive(); ok || err != nil {
			t.Fatalf("more than was sent (%v)", err)
		}
	}
}

// TestMessageRingDamaged has lengths that cannot be.
func TestMessageRingDamaged(t *testing.T) {
	claims := frame(abi.Loader, nil)
	binary.LittleEndian.PutUint32(claims[4:], 100)
	for name, spoil := range map[string]func(m *MessageRing){
		"more than the ring holds": func(m *MessageRing) { *m.word(abi.RingWritten) = abi.RingDataBytes + 1 },
		"read beyond":              func(m *MessageRing) { *m.word(abi.RingRead) = 1 },
		"half a header":            func(m *MessageRing) { post(m, claims[:5]) },
		"a long frame":             func(m *MessageRing) { post(m, claims) },
	} {
		m := NewMessageRing(make([]byte, abi.BlocksOffset))
		spoil(m)
		if _, ok, err := m.Receive(); ok || err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestReserve(t *testing.T) {
	m := NewMessageRing(make([]byte, abi.BlocksOffset))
	if first, end := m.Reserve(100, 200); first != 0 || end != 0 || m.Reserved() != 100 {
		t.Errorf("had %d to %d, now %d", first, end, m.Reserved())
	}
	*m.word(abi.RingReserved) += 30
	if first, end := m.Reserve(0, 0); first != 130 || end != 200 || m.Reserved() != 0 {
		t.Errorf("had %d to %d, now %d", first, end, m.Reserved())
	}
	*m.word(abi.RingReserved) = 10<<32 | 20 // an agent gone wrong
	if first, end := m.Reserve(0, 0); first != 20 || end != 20 {
		t.Errorf("had %d to %d", first, end)
	}
}

// TestTakeTree has the agent's side take a tree back, and leave it, at each moment.
func TestTakeTree(t *testing.T) {
	m := NewMessageRing(make([]byte, abi.BlocksOffset))
	if m.TakeTree() {
		t.Error("a tree was taken that nobody has offered")
	}
	*m.tree() = abi.TreeOffered
	if !m.TakeTree() || m.TakeTree() {
		t.Error("a tree that was offered can be taken once")
	}
	if !m.GiveTree() || *m.tree() != abi.TreeOwn {
		t.Error("a tree that was taken is not its thread's again")
	}
	*m.tree() = abi.TreeOffered
	m.TakeTree()
	*m.tree() = abi.TreeLeft
	if m.GiveTree() || *m.tree() != abi.TreeOwn {
		t.Error("a thread that has left its tree is not seen")
	}
}
