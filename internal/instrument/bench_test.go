package instrument

import (
	"slices"
	"testing"
	"time"

	"mallard/internal/classfile/corpus"
)

// BenchmarkRewrite instruments all of java.base, a class per operation, and reports the distribution of times. The
// p99 is that of the class's fastest time, so that it says something about classes and not about the machine.
func BenchmarkRewrite(b *testing.B) {
	images := corpus.JDKs()
	if len(images) == 0 {
		b.Skip("no JDK")
	}
	var classes [][]byte
	take := func(c *corpusClass) bool { return c.module == "java.base" }
	eachClass(b, images[len(images)-1], take, func(c *corpusClass) { classes = append(classes, c.bytes) })
	for _, strategy := range strategies {
		b.Run(strategy.String(), func(b *testing.B) {
			b.ReportAllocs()
			fastest := make([]time.Duration, len(classes))
			n := 0
			for b.Loop() {
				i := n % len(classes)
				start := time.Now()
				if _, err := Rewrite(classes[i], Options{Placement: strategy}); err != nil {
					b.Fatal(err)
				}
				if took := time.Since(start); fastest[i] == 0 || took < fastest[i] {
					fastest[i] = took
				}
				n++
			}
			times := slices.Clone(fastest[:min(n, len(classes))])
			slices.Sort(times)
			b.ReportMetric(float64(times[len(times)/2].Nanoseconds()), "median-ns")
			b.ReportMetric(float64(times[len(times)*99/100].Nanoseconds()), "p99-ns")
		})
	}
}
