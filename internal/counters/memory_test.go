package counters

import (
	"encoding/binary"
	"os"
	"slices"
	"testing"

	"golang.org/x/sys/unix"

	"mallard/internal/abi"
)

func newMemory(t *testing.T) *Memory {
	t.Helper()
	fd, err := unix.MemfdCreate("mallard", unix.MFD_CLOEXEC)
	if err == nil {
		err = unix.Ftruncate(fd, abi.BlocksOffset+abi.SmallBlockBytes)
	}
	if err != nil {
		t.Fatal(err)
	}
	m, err := OpenMemory(os.NewFile(uintptr(fd), "memory"), 1, abi.SmallBlockBytes)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	return m
}

// TestTagBits: each tag has two bits, one where the agent looks and one where code looks that tags, and nothing else is
// written.
func TestTagBits(t *testing.T) {
	m := newMemory(t)
	last := uint32(abi.TagNone - 1)
	for _, tag := range []uint32{0, 1, 9, 63, 64, last, abi.TagNone, abi.TagOthers, 1 << 31} {
		m.LeaveAlone(tag, true)
	}
	for _, tag := range []uint32{0, 2, 7, 64, last, abi.TagNone, abi.TagOthers} {
		m.SetUnshown(tag, true)
	}
	m.SetUnshown(7, false)
	m.LeaveAlone(63, false)
	m.LeaveAlone(2, false)
	const unshown = abi.UnshownOffset - abi.LeftAloneOffset
	want := map[int]byte{0: 1 << 1, 1: 1 << 1, 8: 1 << 0, int(last / 8): 1 << (last % 8),
		unshown: 1 << 2, unshown + 8: 1 << 0, unshown + int(last/8): 1 << (last % 8)}
	for at, bits := range m.mapped[abi.MessageRingOffset:] {
		if bits != want[at+abi.MessageRingOffset-abi.LeftAloneOffset] {
			t.Errorf("%#x: %#x", at+abi.MessageRingOffset, bits)
		}
	}
	for tag, is := range map[uint32]bool{0: false, 1: true, 2: false, 9: true, 63: false, 64: true, last: true,
		abi.TagNone: false} {
		if m.IsLeftAlone(tag) != is {
			t.Errorf("%d: %v", tag, !is)
		}
	}
	m.ClearUnshown()
	for at, bits := range m.mapped[abi.UnshownOffset : abi.UnshownOffset+abi.UnshownBytes] {
		if bits != 0 {
			t.Errorf("%#x: %#x is left", abi.UnshownOffset+at, bits)
		}
	}
}

// TestGiveAgain: threads find the tags that they are given in the order of the ring, which takes no more than it has
// room for.
func TestGiveAgain(t *testing.T) {
	m := newMemory(t)
	again := m.mapped[abi.AgainOffset:]
	tags := make([]uint32, abi.AgainMost+3)
	for i := range tags {
		tags[i] = uint32(i + 1)
	}
	check := func(what string, left, want []uint32, taken, offered uint64) {
		t.Helper()
		if !slices.Equal(left, want) {
			t.Errorf("%s: %d are left, want %d", what, len(left), len(want))
		}
		if n := binary.LittleEndian.Uint64(again[abi.AgainOffered:]); n != offered {
			t.Errorf("%s: %d are offered, want %d", what, n, offered)
		}
		for i := taken; i < offered; i++ {
			at := abi.AgainTags + 4*(i%abi.AgainMost)
			if tag := binary.LittleEndian.Uint32(again[at:]); tag != tags[i] {
				t.Errorf("%s: %d is offered at %d, want %d", what, tag, i, tags[i])
			}
		}
	}
	left := m.GiveAgain(tags[:5])
	check("some", left, nil, 0, 5)
	left = m.GiveAgain(tags[5:])
	check("full", left, tags[abi.AgainMost:], 0, abi.AgainMost)
	binary.LittleEndian.PutUint64(again[abi.AgainTaken:], 2)
	left = m.GiveAgain(left)
	check("two were taken", left, tags[abi.AgainMost+2:], 2, abi.AgainMost+2)
	binary.LittleEndian.PutUint64(again[abi.AgainTaken:], 100)
	left = m.GiveAgain(left)
	check("more were taken", left, nil, 100, abi.AgainMost+3)
}
