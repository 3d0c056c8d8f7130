package trace

import "github.com/klauspost/compress/zstd"

// mostCompressing is how many blocks of events are compressed at a time, beside the Writer's goroutine.
const mostCompressing = 2

// bulkCompressor compresses blocks of events, which come faster than one goroutine takes them.
type bulkCompressor struct {
	encoder  *zstd.Encoder
	running  int      // blocks whose bytes the Writer has not taken yet
	payloads [][]byte // memory that is free again
}

// compressed is a block, and the memory of its payload, which is free again.
type compressed struct{ block, payload []byte }

func newBulkCompressor() *bulkCompressor {
	return &bulkCompressor{encoder: newCompressor(mostCompressing, zstd.WithEncoderLevel(zstd.SpeedFastest))}
}

// start has a goroutine make a block of a payload, and gives memory for the next one in its place.
func (c *bulkCompressor) start(h blockHeader, payload []byte) (block <-chan compressed, next []byte) {
	c.running++
	if n := len(c.payloads); n > 0 {
		next, c.payloads = c.payloads[n-1], c.payloads[:n-1]
	}
	done := make(chan compressed, 1)
	go func() { done <- compressed{compressOrStore(c.encoder, h, payload), payload} }()
	return done, next
}

// wait gives a block when it is made.
func (c *bulkCompressor) wait(block <-chan compressed) []byte {
	made := <-block
	c.running--
	c.payloads = append(c.payloads, made.payload[:0])
	return made.block
}

// compressOrStore makes a block that is not compressed where a mistake in compressing it would end the process.
func compressOrStore(c *zstd.Encoder, h blockHeader, payload []byte) (block []byte) {
	defer func() {
		if recover() != nil {
			block = sealRaw(h, payload)
		}
	}()
	return sealBlock(c, h, payload)
}
