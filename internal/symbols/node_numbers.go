package symbols

import "mallard/internal/trace"

// numberedNodes finds nodes by their numbers. These are places in memory where a thread puts one node behind the other
// (trace.ContextID): a page has those that are near each other, and most lookups are in the page of the one before.
type numberedNodes struct {
	pages map[trace.ContextID]*nodePage
	at    trace.ContextID // of the page of the last lookup
	page  *nodePage       // nil: there was none yet
}

// pageBits is how many bits of a number say where it stands in its page. A node takes some ten numbers.
const pageBits = 8

// nodePage has the index of a node, and one; 0: there is none.
type nodePage [1 << pageBits]int32

func newNumberedNodes() numberedNodes { return numberedNodes{pages: map[trace.ContextID]*nodePage{}} }

// find gives a node's index.
func (n *numberedNodes) find(id trace.ContextID) (index int32, known bool) {
	if page := n.pageOf(id); page != nil {
		index = page[id%(1<<pageBits)] - 1
		return index, index >= 0
	}
	return -1, false
}

// set puts one in, in place of another one.
func (n *numberedNodes) set(id trace.ContextID, index int32) {
	page := n.pageOf(id)
	if page == nil {
		page = new(nodePage)
		n.at, n.page = id>>pageBits, page
		n.pages[n.at] = page
	}
	page[id%(1<<pageBits)] = index + 1
}

func (n *numberedNodes) pageOf(id trace.ContextID) *nodePage {
	if at := id >> pageBits; n.page == nil || at != n.at {
		page, known := n.pages[at]
		if !known {
			return nil
		}
		n.at, n.page = at, page
	}
	return n.page
}
