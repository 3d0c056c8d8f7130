package trace

import "github.com/klauspost/compress/zstd"

// mostCompressing is how many blocks of events are compressed at a time, beside the Writer's goroutine.
const mostCompressing = 2

// fastCompressor compresses blocks of events, which come faster than one goroutine takes them.
type fastCompressor struct {
	encoder  *zstd.Encoder
	running  int      // blocks whose bytes the Writer has not taken yet
	payloads [][]byte // memory that is free again
}

// compressed is a block, and the memory of its payload, which is free again.
type compressed struct{ block, payload []byte }

// isBulk reports whether a block is full, and mostly Events.
func (b *pendingBlock) isBulk() bool { return b.size() >= blockTarget && b.events >= b.size()/2 }

// compressBeside has a goroutine make a block of a payload, and gives memory for the next one in its place.
func (w *Writer) compressBeside(h blockHeader, payload []byte) (block <-chan compressed, next []byte) {
	f := w.fast
	if f == nil {
		f = &fastCompressor{encoder: newCompressor(mostCompressing, zstd.WithEncoderLevel(zstd.SpeedFastest))}
		w.fast = f
	}
	f.running++
	if n := len(f.payloads); n > 0 {
		next, f.payloads = f.payloads[n-1], f.payloads[:n-1]
	}
	done := make(chan compressed, 1)
	go func() { done <- compressed{compressOrStore(f.encoder, h, payload), payload} }()
	return done, next
}

// compressOrStore makes a block that is not compressed where a mistake in compressing it would end the process.
func compressOrStore(c *zstd.Encoder, h blockHeader, payload []byte) (block []byte) {
	defer func() {
		if recover() != nil {
			block = sealPlain(h, payload)
		}
	}()
	return sealBlock(c, h, payload)
}

// settle waits for a block that is being compressed.
func (w *Writer) settle(b *sealedBlock) {
	if b.compressing == nil {
		return
	}
	c := <-b.compressing
	b.bytes, b.compressing = c.block, nil
	w.backlogSize += len(b.bytes)
	w.fast.running--
	w.fast.payloads = append(w.fast.payloads, c.payload[:0])
}
