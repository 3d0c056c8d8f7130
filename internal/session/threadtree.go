package session

import (
	"encoding/binary"

	"golang.org/x/sys/unix"

	"mallard/internal/calltree"
	"mallard/internal/wire"
)

// tree reads a thread's own words for its tree.
func (p *blocks) tree(block uint32) (*calltree.Thread, error) {
	var b [treeWords * 8]byte
	if _, err := unix.Pread(int(p.file.Fd()), b[:], p.offset(block, wire.TreeWord)); err != nil {
		return nil, err
	}
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(b[8*i:]) }
	return &calltree.Thread{Next: calltree.Entry(word(0)), Free: word(1), End: word(2), Chunk: word(3), Root: calltree.Entry(word(4)), Table: word(7), Hashes: word(8), Earlier: word(10), Transaction: calltree.Node(word(transactionWord)), Inside: calltree.Node(word(insideWord))}, nil
}

// The thread's words from wire.TreeWord on.
const (
	treeWords = 14
	nodeWords = 5 // for its nodes
	tableWord = 7

	transactionWord = wire.TransactionWord - wire.TreeWord
	insideWord      = wire.InsideWord - wire.TreeWord
)

// putTree changes them, while the thread waits or has ended, and says how many pairs there are for it.
func (p *blocks) putTree(block uint32, t *calltree.Thread, learned int) error {
	b := make([]byte, 0, 8*nodeWords)
	for _, w := range [nodeWords]uint64{uint64(t.Next), t.Free, t.End, t.Chunk, uint64(t.Root)} {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	if _, err := unix.Pwrite(int(p.file.Fd()), b, p.offset(block, wire.TreeWord)); err != nil {
		return err
	}
	b = b[:0]
	for _, w := range [...]uint64{t.Table, t.Hashes, uint64(learned), t.Earlier} {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	if _, err := unix.Pwrite(int(p.file.Fd()), b, p.offset(block, wire.TreeWord+tableWord)); err != nil || t.Transaction == 0 {
		return err
	}
	b = binary.LittleEndian.AppendUint64(b[:0], uint64(t.Transaction)) // for the stack of a thread that ends the JVM
	_, err := unix.Pwrite(int(p.file.Fd()), b, p.offset(block, wire.TreeWord+transactionWord))
	return err
}
