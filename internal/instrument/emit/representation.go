package emit

// A Representation says how contexts are kept.
type Representation uint8

const (
	NoContexts Representation = iota
	Tree                      // each invocation finds its node
	Hashed                    // each invocation computes a hash of its context, and looks for a node where it counts
	Encoded                   // as Hashed, with numbers that are decoded
)
