package allocations

import (
	"mallard/internal/bytecode"
	"mallard/internal/classfile"
)

// findLengths turns array sites whose length is a constant into ArrayConst: the instruction before pushes it and no
// one comes in between.
func findLengths(code *bytecode.Code, pool *classfile.Pool, allocations []Allocation, sites []Site) {
	var arrivals []bool
	for _, a := range allocations {
		if sites[a.First].Kind != ArrayLen || a.Made != NoCall || a.At == 0 {
			continue
		}
		n, ok := code.Insns[a.At-1].Int(pool)
		if !ok || n < 0 {
			continue
		}
		if arrivals == nil {
			arrivals = code.Arrivals()
		}
		if !arrivals[a.At] {
			sites[a.First].Kind, sites[a.First].Length = ArrayConst, int(n)
		}
	}
}
