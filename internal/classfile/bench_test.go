package classfile

import (
	"strings"
	"testing"

	"mallard/internal/classfile/corpus"
)

// javaBase returns the classes of java.base of the first JDK that is found.
func javaBase(b *testing.B) (classes [][]byte) {
	b.Helper()
	jdks := corpus.JDKs()
	if len(jdks) == 0 {
		b.Skip("no JDK is installed")
	}
	err := jdks[0].Each(func(name string, class []byte) error {
		if strings.HasPrefix(name, "java.base/") {
			classes = append(classes, class)
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	return classes
}

// perClass runs work on each class of java.base and reports the mean.
func perClass(b *testing.B, work func(class []byte) error) {
	classes := javaBase(b)
	b.ReportAllocs()
	for b.Loop() {
		for _, class := range classes {
			if err := work(class); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(classes)), "ns/class")
}

func BenchmarkParse(b *testing.B) {
	perClass(b, func(class []byte) error {
		_, err := Parse(class)
		return err
	})
}

func BenchmarkParseAppend(b *testing.B) {
	var out []byte
	perClass(b, func(class []byte) error {
		c, err := Parse(class)
		if err != nil {
			return err
		}
		out, err = c.AppendTo(out[:0])
		return err
	})
}

// BenchmarkInstrument does what an instrumenter does around its own work: some
// constants, and each method's Code decoded and encoded again.
func BenchmarkInstrument(b *testing.B) {
	var out []byte
	perClass(b, func(class []byte) error {
		c, err := Parse(class)
		if err != nil {
			return err
		}
		if _, err = c.Pool.AddMethodref("java/lang/$Runtime", "page", "()J"); err != nil {
			return err
		}
		for i := range c.Methods {
			a := c.Pool.FindAttribute(c.Methods[i].Attributes, AttrCode)
			if a == nil {
				continue
			}
			code, err := DecodeCode(a.Info)
			if err != nil {
				return err
			}
			if a.Info, err = code.AppendTo(make([]byte, 0, len(a.Info))); err != nil {
				return err
			}
		}
		out, err = c.AppendTo(out[:0])
		return err
	})
}

// BenchmarkDecodeAll decodes every attribute and encodes it again.
func BenchmarkDecodeAll(b *testing.B) {
	perClass(b, func(class []byte) error {
		c, err := Parse(class)
		if err != nil {
			return err
		}
		var r rebuilder
		if c, err = r.class(c); err != nil {
			return err
		}
		_, err = c.AppendTo(nil)
		return err
	})
}
