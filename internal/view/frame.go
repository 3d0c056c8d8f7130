package view

// frame is a box of a graph: a method, or a class that is allocated, where it stands.
type frame struct {
	name
	amount
	calls int64 // invocations; 0 unknown
	open  bool  // what it calls is not folded, up to the next method of the user's
	// of calls: the contexts that it stands for
	contexts []int32
	// of callers: where those are that called it, and what they have led to there
	places []callerPlace

	made  []*frame // what is above it, the largest first, as far as it was looked for
	isCut bool     // there may be more above it
	// of what is smaller than limit: how many there are
	count int
	limit int64
}

// callerPlace is a line in a context.
type callerPlace struct {
	context, line int32
	amount
}
