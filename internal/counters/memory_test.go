package counters

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"

	"mallard/internal/abi"
)

// TestTagBits: each tag has two bits, one where the agent looks and one where code looks that tags, and nothing else is
// written.
func TestTagBits(t *testing.T) {
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
	defer m.Close()
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
