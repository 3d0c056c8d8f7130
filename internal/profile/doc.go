// Package profile turns a recording into numbers about names: which site of
// which method allocated how many objects, elements and bytes, in which
// thread and in which chain of calls. It adds up what the counters of a recording mean, and answers
// questions with rows. It writes no format; package export does.
//
// The arithmetic is that of paths. A counter's semantics says what one
// increment stands for, so a site's objects are
//
//	Σ counter value × coefficient − live-frame terms
//
// over all counters, all threads, and all instrumented versions of the class.
// For example, with sites A and B of one method,
//
//	counter 0 = 10, semantics {A: 1, B: 2}      the hot path
//	counter 1 =  3, semantics {B: -1}           a branch that misses one B
//	live frames     {A: 1}                      one invocation stopped after counting A, before making it
//
// gives A = 10 − 1 = 9 and B = 20 − 3 = 17.
//
// The same holds in each context, for the methods that count there. Contexts are
// nodes in trees, one for each thread; a Profile merges them to the chains of calls
// that a reader tells apart.
//
// What a recording cannot say is never guessed: it becomes a line in
// Profile.Losses.
package profile
