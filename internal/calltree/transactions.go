package calltree

import "mallard/internal/abi"

// A named transaction is a method without code that stands between two nodes of one invocation: the caller's node leads
// to the invocation's, whose slot of the call that began the transaction leads to the transaction's, whose only slot
// leads to the node in which the invocation goes on. See java.lang.$MallardTransactions.
const mostTransactions = 1 << 20 // inside each other that are looked at

// AddTransaction gives a transaction a number, given what the calls say that begin one.
func (a *Arena) AddTransaction(call string) (MethodID, error) {
	return a.Add([]Method{{Words: abi.TransactionWords, Name: call, Calls: []string{""}, PCs: []int{0},
		Announced: []int32{FirstSlot << abi.AnnounceWordShift}, transaction: true}})
}

// IsTransaction reports whether a number is one's.
func (a *Arena) IsTransaction(id MethodID) bool {
	return int(id) < len(a.methods) && a.methods[id].transaction
}

// transactions is what a thread is in: by the node of an invocation the one in which it goes on. Those of invocations
// that have gone by an exception are among them; their nodes are in no stack until the same method is called there
// again, which begins by taking them away.
type transactions map[Node]Node

func (a *Arena) transactions(t *Thread) transactions {
	var in transactions
	for n := t.Transaction; a.inside(n, abi.TransactionWords) && a.IsTransaction(a.methodOf(n)) &&
		len(in) < mostTransactions; n = Node(a.get(n, abi.TransactionAround)) {
		owner := Entry(a.get(n, abi.NodeEntry)).Node()
		if _, again := in[owner]; again {
			break // nobody makes rings
		}
		if in == nil {
			in = transactions{}
		}
		in[owner] = Node(a.get(n, FirstSlot))
	}
	return in
}

// inside gives the node in which an invocation goes on, given its first.
func (in transactions) inside(n Node) Node {
	for range len(in) {
		inner, ok := in[n]
		if !ok {
			break
		}
		n = inner
	}
	return n
}

// asked is inside for the invocation that a thread asks about, which may not have taken away yet what was left behind
// at its node. In a transaction its hash is made of a node; where contexts are encoded it does not ask there.
func (in transactions) asked(n Node, u *Unknown) Node {
	first := n
	for range len(in) {
		if n = in[n]; n == 0 || u.Called == abi.NotAnnounced && u.Hash == anchored(n) {
			break
		}
	}
	if n == 0 || u.Called != abi.NotAnnounced || u.Hash != anchored(n) {
		return first
	}
	return n
}

// sizesBytes is what the sizes of a transaction's name take.
const sizesBytes = (8*abi.SizesWords + abi.ChunkUnit - 1) &^ (abi.ChunkUnit - 1)

// AddSizes gives memory for the sizes of transactions of a name; 0 where there is none.
func (a *Arena) AddSizes() Node { return Node(a.chunk(sizesBytes)) }

// A Size is how many transactions are of a size: a word of the histogram that is not zero.
type Size struct {
	Step  int
	Count uint64
}

// Sizes reads what the transactions of a name have allocated that have ended.
func (a *Arena) Sizes(n Node) (ended, bytes, most uint64, sizes []Size) {
	for step := range abi.SizesWords - abi.SizesFirst {
		if count := a.get(n, abi.SizesFirst+step); count != 0 {
			sizes = append(sizes, Size{step, count})
		}
	}
	return a.get(n, abi.SizesEnded), a.get(n, abi.SizesSum), a.get(n, abi.SizesMost), sizes
}
