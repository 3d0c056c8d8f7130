package placement

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"mallard/internal/classfile/corpus"
)

// BenchmarkPlace places counters in the methods of java.base that allocate, one
// per operation.
func BenchmarkPlace(b *testing.B) {
	archives := corpus.JDKs()
	if len(archives) == 0 {
		b.Skip("no JDK")
	}
	var problems []*Problem
	eachMethod(b, archives[0], corpus.Sample(1), func(m method) { problems = append(problems, m.problem) })
	for _, strategy := range strategies {
		b.Run(strategy.String(), func(b *testing.B) {
			b.ReportAllocs()
			for i := range b.N {
				if _, err := Place(problems[i%len(problems)], strategy); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkHuge places counters in graphs that no compiler makes: branches to
// anywhere, so that nothing can be reduced. It shows that the limits hold.
func BenchmarkHuge(b *testing.B) {
	for _, blocks := range []int{100, 1000, 4000} {
		r := rand.New(rand.NewPCG(1, uint64(blocks)))
		pr := randomProblem(b, r, graphMix{blocks: blocks})
		for _, strategy := range strategies {
			b.Run(fmt.Sprintf("%d/%v", len(pr.Graph.Blocks), strategy), func(b *testing.B) {
				for b.Loop() {
					if _, err := Place(pr, strategy); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
