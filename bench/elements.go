package main

import "fmt"

// Elements is what a workload allocated of arrays that hold one type: the figures that the JP paper asks for (section
// 3).
type Elements struct {
	Element  string `json:"element"` // a basic type, or reference
	Arrays   int64  `json:"objects"`
	Elements int64  `json:"elements"`
	Bytes    int64  `json:"bytes"`
}

// elementTypes are the columns of the table.
var elementTypes = []string{"byte", "char", "short", "int", "long", "boolean", "float", "double", "reference"}

// thousands prints large numbers in units of a thousand.
func thousands(n int64) string {
	if n < 10_000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d k", n/1000)
}
