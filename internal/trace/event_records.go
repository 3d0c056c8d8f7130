package trace

// Events is a block of what an observer learnt while the world was stopped, as its producer wrote it: only the observer
// knows what it says. Blocks of one ring are in the order in which they were written; what orders those of different
// rings is in the blocks.
type Events struct {
	Observer string // whose they are, as in Process.Track
	Ring     uint32 // that they came through; one producer's
	Kind     uint16 // of the block
	Data     []byte
}

// EventsLost says what is missing among the Events of a ring, before those that follow, or that its producer records
// more or less from then on.
type EventsLost struct {
	Ring      uint32
	From      int64       // since Process.Started, nanoseconds
	To        int64       // as From
	LevelThen uint32      // what was recorded at From: 0 everything, higher levels less, as the observer states them
	Level     uint32      // at To
	Counts    []LostCount // none: the level changed and nothing was lost
	Reason    string      // empty: the ring was full
}

// LostCount is how many events of a kind are missing.
type LostCount struct {
	Kind    uint16 // as in Events
	Records uint64
}
