package trace

// Limits of the format. A reader checks each before it takes memory.
const (
	// Version is the format version written, and the newest one read.
	Version = 4

	// maxBlock bounds the payload of a block, decompressed and as stored.
	// Decoded records take at most about 20 times the bytes they come from.
	maxBlock = 8 << 20

	// blockTarget is the payload size at which Writer ends a block.
	blockTarget = 256 << 10

	// maxBacklog bounds the sealed blocks a Writer keeps for a file that
	// could not take them.
	maxBacklog = 16 << 20

	// indexEvery is how many blocks a Writer remembers before it writes an Index
	// of them.
	indexEvery = 1024

	// indexFrom is how many blocks make an Index at the end worth its bytes.
	indexFrom = 16

	// keyframeSpacing is how many times as large as a keyframe is what stands
	// between it and the next one, at least.
	keyframeSpacing = 8

	// maxRecords bounds the position of a record in a recording.
	maxRecords = 1 << 62

	// maxDamage bounds the ranges of damage that a Reader lists one by one.
	maxDamage = 1000

	// maxText bounds the text of one record.
	maxText = 64 << 20

	// rescanFactor bounds the bytes checksummed in vain, as a multiple of the
	// bytes read, so that a crafted file cannot make resynchronising quadratic.
	rescanFactor = 16
)
