package trace

// Keyframe begins a round of Snapshots from which a reader may start: all that
// is known of each thread that has not ended, its Thread record included, comes
// between it and the next Mark; all Snapshots and ContextCounts there are Full.
// Of what comes before, such a reader needs the definitions alone. A Keyframe is
// the first record of its block.
type Keyframe struct {
	Nanos       int64  // since Process.Started
	Definitions uint64 // records in blocks of definitions before it; the Writer sets it
}

// Kept says that the recording was to have only so much of its time, and that older records were given up. What stands
// before it are definitions, the totals that each thread and context had counted by then, and what is said once. A
// Keyframe follows.
type Kept struct {
	From int64 // Keyframe.Nanos of the one that follows: the rest is whole from then on
	For  int64 // how much was to be kept at least, nanoseconds
}

// Index says where to look, alone in its block. There is one after every keyframe and,
// unless the file is short, one at the end. It is a hint: what it says stands in the
// blocks as well.
type Index struct {
	Previous uint64         // offset in the file of the block with the Index before, 0 for none
	Blocks   []IndexedBlock // blocks since then with anything but counts, in file order
}

// IndexedBlock is the place of a block.
type IndexedBlock struct {
	Offset   uint64   // in the file
	First    uint64   // position in the recording of the block's first record
	Records  uint32   // number of records
	Contents Contents // as in the block's header
	Nanos    int64    // Keyframe.Nanos, if it begins with one
}

// Contents says what is in a block besides counts: a sum of flags.
type Contents uint8

const (
	// nothing but Process, Loader, ClassDef, ClassSize, Skipped, MethodName, Contexts and Transaction
	Definitions    Contents = 1 << iota
	BeginsKeyframe          // its first record is a Keyframe
	Summaries               // Seen, Loss, End, Internal or Adaptation
	HasIndex                // an Index

	allContents = Definitions | BeginsKeyframe | Summaries | HasIndex
)
