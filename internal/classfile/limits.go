package classfile

import "errors"

const (
	// MinMajor and MaxMajor are the class file versions that Parse accepts:
	// JDK 1.0.2 to Java SE 25 (JVMS 4.1, table 4.1-A).
	MinMajor = 45
	MaxMajor = 69

	// MaxClassBytes is the longest class file, read or written. HotSpot keeps
	// lengths and offsets of class files in a signed 32-bit integer.
	MaxClassBytes = 1<<31 - 1

	// MaxPoolCount is the largest constant_pool_count (JVMS 4.11).
	MaxPoolCount = 1<<16 - 1

	// MaxCodeBytes is the largest code_length (JVMS 4.7.3).
	MaxCodeBytes = 1<<16 - 1

	// MaxElementDepth is how deep arrays and annotations may nest inside one
	// annotation. The format sets no limit; source code needs two or three.
	MaxElementDepth = 64

	// MaxExpansion bounds the memory that Parse and the decoders allocate: this
	// many bytes for one byte of input, and a few kilobytes. It holds because
	// the count of a table is checked against the bytes that are left before
	// the table is made; the widest item is a Frame, for which one byte will do.
	MaxExpansion = 64
)

// ErrPoolFull is returned when a constant pool has no index left.
var ErrPoolFull = errors.New("classfile: constant pool is full")
