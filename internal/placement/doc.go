// Package placement decides where a method's counters go and what each of them
// means. It is pure: a graph with allocations in, counters out; it knows nothing
// of instructions, class files or what kind of thing is counted.
//
// # The contract
//
// For a point p of a method let
//
//	φ(p) = what this invocation has counted so far − what it has allocated so far,
//
// a vector over the method's sites. A plan is correct if φ is a static fact: the
// same for every way control can come to p. Then counted totals, less φ of
// wherever an invocation stands, are exactly its allocations. In detail:
//
//   - φ is 0 at forced zeros: at the entry, at the exit, and at the start of every
//     block with Zero set (package cfg says which and why). φ is zero when an
//     invocation starts or ends, or where control may leave unseen.
//   - An allocation is passed when its instruction completes. It lowers φ by its
//     sites; before that, and if it throws, φ is what it was.
//   - A counter is passed on its edge, or right after the instruction it follows, or
//     right before it where that is Ahead.
//     It raises φ by its semantics, a vector whose coefficients may be negative.
//   - A piggybacked allocation has code behind it that counts how often it completes,
//     whatever a plan says. A counter there, one for each, costs nothing.
//   - So for every edge: φ at the end of its source, plus the semantics of the
//     counters on it, is φ at the start of its target.
//   - Edges where no code can be put (throw, ret) have no counters.
//   - Exception edges lead to handlers, which are forced zeros. What an exception
//     that is thrown in the middle of a block leaves of φ is not a plan's matter.
//
// Any choice of φ on blocks gives a correct plan: an edge needs a counter exactly
// where φ does not follow from its source. Strategies differ only in their choice.
// Check enforces the contract on every plan that Place returns.
//
// Example: every call allocates at site 0, nine of ten at site 1 as well.
//
//	b0 [0,4)   1 allocates {0:+1}   -> b1 fallthrough 0.9   -> b2 taken 0.1
//	b1 [4,7)   4 allocates {1:+1}   -> b2 fallthrough 0.9
//	b2 [7,9)                        -> exit return 1
//
// One counter per site costs 1.9 increments per call. The optimal plan costs 1: it
// lets b1 begin with φ {0:-1}, counts {0:+1 1:+1} behind the
// allocation there, and {0:+1} on b0 -> b2.
package placement
