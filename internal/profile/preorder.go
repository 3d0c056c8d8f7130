package profile

import "slices"

// preorder lists the nodes of a forest so that each comes before its children and
// after its parent's earlier children. The parent of node i is parents[i], -1 for
// none; compare orders the children of one parent.
func preorder(parents []int32, compare func(i, j int32) int) []int32 {
	first := make([]int32, len(parents)+2) // where the children of node i-1 begin in siblings
	for _, parent := range parents {
		first[parent+2]++
	}
	for i := 1; i < len(first); i++ {
		first[i] += first[i-1]
	}
	siblings, next := make([]int32, len(parents)), slices.Clone(first)
	for i, parent := range parents {
		siblings[next[parent+1]] = int32(i)
		next[parent+1]++
	}
	for i := 1; i < len(first); i++ {
		if of := siblings[first[i-1]:first[i]]; len(of) > 1 {
			slices.SortFunc(of, compare)
		}
	}
	order := make([]int32, 0, len(parents))
	var pending []int32 // the next one last
	push := func(parent int32) {
		for _, child := range slices.Backward(siblings[first[parent+1]:first[parent+2]]) {
			pending = append(pending, child)
		}
	}
	for push(-1); len(pending) > 0; {
		i := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		order = append(order, i)
		push(i)
	}
	return order
}
