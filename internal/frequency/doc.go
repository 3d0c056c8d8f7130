// Package frequency works out how often each edge of a method was taken from what the method's counters say. It is
// pure: a plan and numbers in, frequencies out.
//
// A plan has a counter only where one is needed, so most edges are not counted. What flows into a block flows out of
// it; that alone determines many of them, and bounds others. The steps:
//
//  1. Every edge and block has a range, at first from 0 up. Counters make those of their edges a point.
//  2. Ranges are narrowed until nothing changes: by flow conservation at each block, and by dominance, since a block
//     runs at least as often as those
//     that it dominates within its own loop.
//  3. In the order of control, what is still a range becomes a point in it: flow is divided as the graph's own
//     frequencies divide it, which are
//     estimates, or what was measured before. Each choice narrows other ranges.
//
// Conservation is not quite true. Exceptions leave blocks in the middle: into handlers, which have flow of their own,
// or out of the method, which nothing shows; invocations may be under way; counters of running threads are read one
// after another. So a bound that contradicts another gives way, and Solve has an answer to everything.
//
//	static Object get(int i) {
//	    Object o = cache[i];               b0    -> b1 7, counted
//	    if (o == null)                           -> b2 [0,∞) becomes 7 * the estimate, or, with 1000 entries, 993
//	        o = cache[i] = new Object();   b1    -> b2 7
//	    return o;                          b2 [7,∞)
//	}
package frequency
