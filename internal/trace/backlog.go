package trace

// sealedBlock is a block that waits to be written.
type sealedBlock struct {
	bytes []byte
	keep  bool
	IndexedBlock
	compressing <-chan compressed // gives bytes, of which there are none before; nil else
}

// backlog is the blocks that wait to be written, oldest first. It is empty unless writing failed, or blocks are being
// compressed.
type backlog struct {
	blocks []sealedBlock
	size   int             // bytes of those that are compressed
	bulk   *bulkCompressor // of blocks of events that come faster than one goroutine takes them; nil until there is one

	lostBlocks, lostRecords uint64 // dropped
}

// add puts a block at the end.
func (l *backlog) add(b sealedBlock) {
	l.size += len(b.bytes)
	l.blocks = append(l.blocks, b)
}

// compress adds a block that is compressed meanwhile, and gives memory for its successor's payload.
func (l *backlog) compress(b sealedBlock, h blockHeader, payload []byte) (next []byte) {
	if l.bulk == nil {
		l.bulk = newBulkCompressor()
	}
	b.compressing, next = l.bulk.start(h, payload)
	l.add(b)
	return next
}

// compressing is how many blocks are being compressed.
func (l *backlog) compressing() int {
	if l.bulk == nil {
		return 0
	}
	return l.bulk.running
}

// await waits for a block that is being compressed.
func (l *backlog) await(b *sealedBlock) {
	if b.compressing != nil {
		b.bytes, b.compressing = l.bulk.wait(b.compressing), nil
		l.size += len(b.bytes)
	}
}

// removeFirst removes the first block, which was written.
func (l *backlog) removeFirst() {
	l.size -= len(l.blocks[0].bytes)
	l.blocks[0] = sealedBlock{}
	if l.blocks = l.blocks[1:]; len(l.blocks) == 0 {
		l.blocks = nil
	}
}

// shrink drops blocks until the backlog is within its bound: the oldest that later records make up for, else the
// newest.
func (l *backlog) shrink() {
	for i := range l.blocks {
		l.await(&l.blocks[i])
	}
	for l.size > maxBacklog {
		drop := len(l.blocks) - 1
		for i, b := range l.blocks {
			if !b.keep {
				drop = i
				break
			}
		}
		l.drop(drop)
	}
}

func (l *backlog) drop(i int) {
	b := l.blocks[i]
	l.blocks = append(l.blocks[:i], l.blocks[i+1:]...)
	l.size -= len(b.bytes)
	l.lostBlocks++
	l.lostRecords += uint64(b.Records)
}
