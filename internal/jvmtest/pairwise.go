package jvmtest

import "testing"

// Combinations returns rows with a value of each factor, 0 to sizes[factor]-1. In the long tests they are all there
// are. Otherwise any two values of two factors stand together in a row, which most faults need no more than (all-pairs
// testing). The rows are the same each time.
func Combinations(sizes ...int) [][]int {
	if Long() {
		return product(sizes)
	}
	return pairwise(sizes)
}

// IsTurn tells whether a JDK is to show the nth of some things that do not depend on the JDK: each shows its part of
// them, and in the long tests all.
func IsTurn(tb testing.TB, jdk JDK, n int) bool {
	tb.Helper()
	jdks := JDKs(tb)
	return Long() || jdks[n%len(jdks)].Home == jdk.Home
}

func product(sizes []int) [][]int {
	rows := [][]int{{}}
	for _, size := range sizes {
		var longer [][]int
		for _, row := range rows {
			for value := range size {
				longer = append(longer, append(row[:len(row):len(row)], value))
			}
		}
		rows = longer
	}
	return rows
}

// A pair is two factors with a value each; the first factor is the smaller one.
type pair struct{ factor, value, factor2, value2 int }

func newPair(factor, value, factor2, value2 int) pair {
	if factor2 < factor {
		return pair{factor2, value2, factor, value}
	}
	return pair{factor, value, factor2, value2}
}

// pairwise begins a row with the first pair that is in no row yet, and gives each other factor the value that brings
// the most such pairs with what the row has.
func pairwise(sizes []int) [][]int {
	var pairs []pair
	missing := map[pair]bool{}
	for factor, size := range sizes {
		for factor2 := factor + 1; factor2 < len(sizes); factor2++ {
			for value := range size {
				for value2 := range sizes[factor2] {
					p := newPair(factor, value, factor2, value2)
					pairs = append(pairs, p)
					missing[p] = true
				}
			}
		}
	}
	if len(pairs) == 0 {
		return product(sizes)
	}
	const unset = -1
	var rows [][]int
	for _, first := range pairs {
		if !missing[first] {
			continue
		}
		row := make([]int, len(sizes))
		for factor := range row {
			row[factor] = unset
		}
		row[first.factor], row[first.factor2] = first.value, first.value2
		news := func(factor, value int) (n int) {
			for other, v := range row {
				if other != factor && v != unset && missing[newPair(factor, value, other, v)] {
					n++
				}
			}
			return n
		}
		for factor, size := range sizes {
			if row[factor] != unset {
				continue
			}
			best := len(rows) % size // so that what is free to choose is not always the same
			for value := range size {
				if news(factor, value) > news(factor, best) {
					best = value
				}
			}
			row[factor] = best
		}
		for factor, value := range row {
			for factor2 := factor + 1; factor2 < len(row); factor2++ {
				delete(missing, newPair(factor, value, factor2, row[factor2]))
			}
		}
		rows = append(rows, row)
	}
	return rows
}
