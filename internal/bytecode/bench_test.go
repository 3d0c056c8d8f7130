package bytecode

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"mallard/internal/classfile"
	"mallard/internal/classfile/corpus"
)

// A method is a body of java.base, ready to be decoded.
type method struct {
	code *classfile.Code
	pool *classfile.Pool
}

// javaBase returns all bodies of java.base of one JDK, and how many classes
// they are from.
func javaBase(b *testing.B) (methods []method, classes int) {
	b.Helper()
	err := corpus.All(b)[0].Each(func(name string, bytes []byte) error {
		if !strings.HasPrefix(name, "java.base/") {
			return nil
		}
		class, err := classfile.Parse(bytes)
		if err != nil {
			return err
		}
		classes++
		return eachCode(class, func(_ *classfile.Member, a *classfile.Attribute) error {
			code, err := classfile.DecodeCode(a.Info)
			methods = append(methods, method{code, class.Pool})
			return err
		})
	})
	if err != nil {
		b.Fatal(err)
	}
	return methods, classes
}

// counters inserts what an instrumenter would: some instructions before each
// allocation, and on one edge in eight.
func counters(c *Code) []Insertion {
	code := []Instruction{Insn(OpIconst1), Insn(OpIconst2), Insn(OpIadd), Insn(OpPop)}
	var all []Insertion
	for i, in := range c.Insns {
		switch {
		case in.Op == OpNew || in.Op == OpNewarray || in.Op == OpAnewarray:
			all = append(all, Insertion{At: i, Code: code, Stack: 2})
		case in.Op.IsBranch() && i%8 == 0:
			all = append(all, Insertion{At: int(in.Target()), Position: Taken, From: []int{i}, Code: code, Stack: 2})
		}
	}
	return all
}

func benchmark(b *testing.B, step func(m method) error) {
	methods, classes := javaBase(b)
	b.ReportAllocs()
	before := processorTime(b)
	b.ResetTimer()
	for range b.N {
		for _, m := range methods {
			if err := step(m); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*classes), "µs/class")
	b.ReportMetric(float64((processorTime(b)-before).Microseconds())/float64(b.N*classes), "cpu-µs/class")
	b.ReportMetric(0, "ns/op")
}

// processorTime returns what the process has used, the garbage collector
// included; other processes do not count.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// The benchmarks go over all bodies of java.base.

func BenchmarkDecode(b *testing.B) {
	benchmark(b, func(m method) error {
		_, err := Decode(m.code, m.pool)
		return err
	})
}

func BenchmarkDecodeEncode(b *testing.B) {
	benchmark(b, func(m method) error {
		code, err := Decode(m.code, m.pool)
		if err != nil {
			return err
		}
		_, err = code.Encode()
		return err
	})
}

func BenchmarkDecodeRewrite(b *testing.B) {
	benchmark(b, func(m method) error {
		code, err := Decode(m.code, m.pool)
		if err != nil {
			return err
		}
		insertions := counters(code)
		if len(insertions) == 0 {
			return nil
		}
		_, err = code.Rewrite(insertions)
		return err
	})
}

// BenchmarkRewriteAll rewrites bodies without insertions as well.
func BenchmarkRewriteAll(b *testing.B) {
	benchmark(b, func(m method) error {
		code, err := Decode(m.code, m.pool)
		if err != nil {
			return err
		}
		_, err = code.Rewrite(counters(code))
		return err
	})
}
