package calltree

import "mallard/internal/abi"

// A Hash is the hash of an invocation's context. Where contexts are hashed, invocations have no nodes, and the recorder
// gets to see the hashes that a thread cannot find out the node of. See java.lang.$MallardHash for how they are made.
type Hash uint64

// enter is the step to a callee, given what its caller has announced; java.lang.$MallardHash.step is the reference.
func (h Hash) enter(announced int32, m MethodID) Hash {
	return ((h ^ Hash(uint32(announced))) + abi.HashMethod*Hash(m)) * abi.HashStep
}

// entered is what the callee combined: its caller's hash and the announcement; agent/hashes.c does the same.
func (h Hash) entered(m MethodID) Hash { return h*abi.HashStepBack - abi.HashMethod*Hash(m) }

// anchored is the number of an invocation whose context no hash says.
func anchored(n Node) Hash { return Hash(n) * abi.HashAnchor }

// A Pair is a hash with the node that it stands for whenever it comes up in its thread.
type Pair struct {
	Hash Hash
	Node Node
}

// An Unknown is what a thread asks about: an invocation that begins and was not announced ([Unknown.Entry]), or one
// that counts and whose hash is not in the thread's table.
type Unknown struct {
	Method MethodID
	Hash   Hash  // at an entry the hash that the thread has from its last call or return, else the invocation's own
	Called int32 // at an entry the announcement, which is even, else -1
}

// entered is what an invocation that begins combined.
func (u *Unknown) entered() Hash { return u.Hash ^ Hash(uint32(u.Called)) }
