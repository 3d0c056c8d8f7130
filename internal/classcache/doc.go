// Package classcache keeps instrumented classes between runs, so that neither the JVM nor the recorder has to wait for
// them again.
//
// What [instrument.Rewrite] makes of a class depends on its bytes and the options alone, and with contexts on what was
// assumed of methods that it calls, which is part of the entry. So the bytes are the key: all of them are compared, not
// only a hash. A cache is one file that never changes; the recorder writes a new one and puts it in the old one's
// place. The agent reads it as well and looks classes up by itself (agent/cache.c), which is why it is laid out like
// this, little-endian, every part at a multiple of 8:
//
//	header     magic, version, slots (a power of two), entries, length
//	entries    hash, lengths, class as it was, patches (where numbers are in the new bytes), with contexts the rows of
//	           its methods and calls for the tables in shared memory, leaves, new bytes, what they mean
//	names      of methods and calls in the rows, which have their numbers as these stand here
//	slots      where entries begin, in units of 8 bytes, 0 for none; a hash's first slot is its low bits, then the
//	           next ones in turn
//
// No new bytes: the class stays as it was. The agent does not look at the last part, which is the encoding of an
// [instrument.Result]. Opening a cache costs the same however large it is; each entry has its own checksums, and agent
// and recorder check what they use.
package classcache
