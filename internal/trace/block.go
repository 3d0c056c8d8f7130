package trace

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/klauspost/compress/zstd"
)

// Ways in which a payload is stored.
const (
	storedRaw  = 0
	storedZstd = 1
)

const (
	blockMagic      = "\x89BLK"
	blockHeaderSize = 36
)

// blockHeader comes before a block's payload:
//
//	 0  4  blockMagic
//	 4  1  storage   storedRaw or storedZstd
//	 5  1  contents  what is in it, see Contents; 0 in version 1
//	 6  2  version   of the format
//	 8  8  first     position in the recording of the block's first record
//	16  4  records   number of records
//	20  4  size      of the payload, decompressed
//	24  4  stored    size of the payload as it follows
//	28  4  sum       CRC-32C of the payload as it follows
//	32  4            CRC-32C of the 32 bytes before
type blockHeader struct {
	storage  uint8
	version  uint16
	contents Contents
	first    uint64
	records  uint32
	size     uint32
	stored   uint32
	sum      uint32
}

// length is that of the whole block, bytes.
func (h *blockHeader) length() int { return blockHeaderSize + int(h.stored) }

func (h *blockHeader) appendTo(dst []byte) []byte {
	start := len(dst)
	dst = append(dst, blockMagic...)
	dst = append(dst, h.storage, byte(h.contents))
	dst = binary.LittleEndian.AppendUint16(dst, Version)
	dst = binary.LittleEndian.AppendUint64(dst, h.first)
	for _, v := range []uint32{h.records, h.size, h.stored, h.sum} {
		dst = binary.LittleEndian.AppendUint32(dst, v)
	}
	return binary.LittleEndian.AppendUint32(dst, checksum(dst[start:]))
}

// parseBlockHeader reads the blockHeaderSize bytes of b.
func parseBlockHeader(b []byte) (h blockHeader, err error) {
	if string(b[:len(blockMagic)]) != blockMagic {
		return h, errors.New("no block begins here")
	}
	if binary.LittleEndian.Uint32(b[32:]) != checksum(b[:32]) {
		return h, errors.New("block header has a wrong checksum")
	}
	version := binary.LittleEndian.Uint16(b[6:])
	if version == 0 || version > Version {
		return h, fmt.Errorf("block has format version %d", version)
	}
	h = blockHeader{
		storage:  b[4],
		contents: Contents(b[5]),
		version:  version,
		first:    binary.LittleEndian.Uint64(b[8:]),
		records:  binary.LittleEndian.Uint32(b[16:]),
		size:     binary.LittleEndian.Uint32(b[20:]),
		stored:   binary.LittleEndian.Uint32(b[24:]),
		sum:      binary.LittleEndian.Uint32(b[28:]),
	}
	switch {
	case h.storage > storedZstd || h.contents > allContents || version < 2 && h.contents != 0:
		err = errors.New("block is stored in an unknown way")
	case h.size > maxBlock || h.stored > h.size:
		err = fmt.Errorf("block of %d bytes stored as %d is too large", h.size, h.stored)
	case h.storage == storedRaw && h.stored != h.size:
		err = fmt.Errorf("uncompressed block of %d bytes has %d", h.size, h.stored)
	case h.records == 0 || h.records > h.size || h.first > maxRecords:
		err = fmt.Errorf("block has %d records from %d on in %d bytes", h.records, h.first, h.size)
	}
	return h, err
}

// newCompressor returns an encoder for whole blocks on the calling goroutine, of so many blocks at a time. For each it
// keeps memory of the window's size, of which all but the rarest block need a part only.
func newCompressor(atOnce int, options ...zstd.EOption) *zstd.Encoder {
	c, err := zstd.NewWriter(nil, append(options, zstd.WithEncoderConcurrency(atOnce),
		zstd.WithWindowSize(4*blockTarget), zstd.WithLowerEncoderMem(true), zstd.WithEncoderCRC(false))...)
	if err != nil {
		panic(err) // the options are constants
	}
	return c
}

func newDecompressor() *zstd.Decoder {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1),
		zstd.WithDecoderMaxWindow(maxBlock), zstd.WithDecoderMaxMemory(maxBlock))
	if err != nil {
		panic(err) // the options are constants
	}
	return d
}

// sealBlock returns a whole block. h needs contents, first and records.
func sealBlock(c *zstd.Encoder, h blockHeader, payload []byte) []byte {
	block := make([]byte, blockHeaderSize, blockHeaderSize+len(payload)/4) // most take less
	block = c.EncodeAll(payload, block)
	if len(block)-blockHeaderSize >= len(payload) {
		return sealRaw(h, payload)
	}
	h.storage = storedZstd
	return h.seal(block, len(payload))
}

// sealRaw is sealBlock without compression.
func sealRaw(h blockHeader, payload []byte) []byte {
	block := make([]byte, blockHeaderSize, blockHeaderSize+len(payload))
	h.storage = storedRaw
	return h.seal(append(block, payload...), len(payload))
}

// seal writes the header in front of what is stored of a payload.
func (h blockHeader) seal(block []byte, size int) []byte {
	h.size = uint32(size)
	h.stored = uint32(len(block) - blockHeaderSize)
	h.sum = checksum(block[blockHeaderSize:])
	h.appendTo(block[:0])
	return block
}

// openBlock appends the payload of a block to dst.
func openBlock(d *zstd.Decoder, h blockHeader, stored, dst []byte) ([]byte, error) {
	if h.storage == storedRaw {
		return append(dst, stored...), nil
	}
	start := len(dst)
	dst, err := d.DecodeAll(stored, dst)
	if err != nil {
		return nil, fmt.Errorf("block does not decompress: %w", err)
	}
	if len(dst)-start != int(h.size) {
		return nil, fmt.Errorf("block decompresses to %d bytes instead of %d", len(dst)-start, h.size)
	}
	return dst, nil
}
