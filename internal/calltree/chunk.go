package calltree

import "sync/atomic"

// chunk gives memory, in bytes that are a multiple of abi.ChunkUnit; 0 where there is no more.
func (a *Arena) chunk(bytes uint64) (chunk uint64) {
	for taken := false; !taken; taken = atomic.CompareAndSwapUint64(a.word(a.layout.Top), chunk, chunk+bytes) {
		chunk = atomic.LoadUint64(a.word(a.layout.Top))
		if chunk+bytes > atomic.LoadUint64(a.word(a.layout.Limit)) {
			return 0
		}
	}
	return chunk
}
