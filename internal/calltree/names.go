package calltree

import "mallard/internal/abi"

// Lambda is the name of the bodies of lambdas, which are called by other names.
const Lambda = "lambda$"

// names numbers what methods are called by, and calls say.
type names struct {
	numbers map[string]uint32
	next    uint32
	earlier func() []string // those with the first numbers, from abi.FirstName on, that are not in the map; nil: none
}

func newNames() names {
	return names{numbers: map[string]uint32{"": 0, Lambda: abi.LambdaName}, next: abi.FirstName}
}

// number gives a name's number.
func (n *names) number(s string) uint32 {
	number, ok := n.numbers[s]
	if ok {
		return number
	}
	if n.earlier != nil {
		for i, name := range n.earlier() {
			n.numbers[name] = abi.FirstName + uint32(i)
		}
		n.earlier = nil
		return n.number(s)
	}
	n.numbers[s] = n.next
	n.next++
	return n.next - 1
}
