package trace

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// codec is how values of one Go type are written in both forms. previous is
// the value of the same field in the row before, zero in the first row.
type codec[F any] interface {
	encode(e *encoder, v, previous F)
	decode(d *decoder, previous F) F
	print(dst []byte, v F) []byte
	parse(s string) (F, error)
	zero(v F) bool
	String() string // name of the type in docs/format.md
}

type unsignedInt interface {
	~uint8 | ~uint16 | ~uint32 | ~uint64
}

type signedInt interface{ ~int32 | ~int64 }

// uintCodec is an integer as a varint.
type uintCodec[F unsignedInt] struct{}

func (uintCodec[F]) encode(e *encoder, v, _ F) { e.uint(uint64(v)) }

func (uintCodec[F]) decode(d *decoder, _ F) F {
	u := d.uint()
	if uint64(F(u)) != u {
		d.fail(fmt.Errorf("%d is out of range", u))
		return 0
	}
	return F(u)
}

func (uintCodec[F]) print(dst []byte, v F) []byte { return strconv.AppendUint(dst, uint64(v), 10) }

func (uintCodec[F]) parse(s string) (F, error) {
	u, err := strconv.ParseUint(s, 10, bits[F]())
	return F(u), err
}

func (uintCodec[F]) zero(v F) bool  { return v == 0 }
func (uintCodec[F]) String() string { return fmt.Sprintf("uint%d", bits[F]()) }

// intCodec is an integer as a zigzag varint.
type intCodec[F signedInt] struct{}

func (intCodec[F]) encode(e *encoder, v, _ F) { e.int(int64(v)) }

func (intCodec[F]) decode(d *decoder, _ F) F {
	i := d.int()
	if int64(F(i)) != i {
		d.fail(fmt.Errorf("%d is out of range", i))
		return 0
	}
	return F(i)
}

func (intCodec[F]) print(dst []byte, v F) []byte { return strconv.AppendInt(dst, int64(v), 10) }

func (intCodec[F]) parse(s string) (F, error) {
	i, err := strconv.ParseInt(s, 10, bits[F]())
	return F(i), err
}

func (intCodec[F]) zero(v F) bool  { return v == 0 }
func (intCodec[F]) String() string { return fmt.Sprintf("int%d", bits[F]()) }

// deltaCodec is a 32-bit integer as the zigzag varint of its difference to the row
// before.
type deltaCodec[F ~uint32 | ~int32] struct{}

func (deltaCodec[F]) encode(e *encoder, v, previous F) { e.int(int64(v) - int64(previous)) }

func (deltaCodec[F]) decode(d *decoder, previous F) F {
	difference := d.int()
	v := int64(previous) + difference
	if int64(F(v)) != v || difference != v-int64(previous) {
		d.fail(fmt.Errorf("difference %d is out of range", difference))
		return 0
	}
	return F(v)
}

func (deltaCodec[F]) print(dst []byte, v F) []byte { return strconv.AppendInt(dst, int64(v), 10) }

func (deltaCodec[F]) parse(s string) (F, error) {
	i, err := strconv.ParseInt(s, 10, 64)
	if err == nil && int64(F(i)) != i {
		err = fmt.Errorf("%d is out of range", i)
	}
	return F(i), err
}

func (deltaCodec[F]) zero(v F) bool { return v == 0 }

func (deltaCodec[F]) String() string {
	return "delta " + reflect.TypeFor[F]().Kind().String()
}

// wideDeltaCodec is a 64-bit integer as the zigzag varint of its difference to
// the row before, modulo 2^64.
type wideDeltaCodec[F ~uint64] struct{}

func (wideDeltaCodec[F]) encode(e *encoder, v, previous F) { e.int(int64(v - previous)) }
func (wideDeltaCodec[F]) decode(d *decoder, previous F) F  { return previous + F(d.int()) }
func (wideDeltaCodec[F]) print(dst []byte, v F) []byte     { return strconv.AppendUint(dst, uint64(v), 10) }
func (wideDeltaCodec[F]) parse(s string) (F, error)        { return uintCodec[F]{}.parse(s) }
func (wideDeltaCodec[F]) zero(v F) bool                    { return v == 0 }
func (wideDeltaCodec[F]) String() string                   { return "delta uint64" }

// bits is the size of an integer type.
func bits[F any]() int { return reflect.TypeFor[F]().Bits() }

// stringCodec is a string of any bytes.
type stringCodec struct{}

func (stringCodec) encode(e *encoder, v, _ string)     { e.string(v) }
func (stringCodec) decode(d *decoder, _ string) string { return d.string() }
func (stringCodec) print(dst []byte, v string) []byte  { return strconv.AppendQuote(dst, v) }

func (stringCodec) parse(s string) (string, error) {
	if !strings.HasPrefix(s, `"`) {
		return "", errors.New("string needs quotes")
	}
	return strconv.Unquote(s)
}

func (stringCodec) zero(v string) bool { return v == "" }
func (stringCodec) String() string     { return "string" }

// octetsCodec is bytes that are seldom the same twice, a length and what follows.
type octetsCodec struct{}

func (octetsCodec) encode(e *encoder, v, _ []byte) {
	e.uint(uint64(len(v)))
	e.b = append(e.b, v...)
}

func (octetsCodec) decode(d *decoder, _ []byte) []byte {
	n := d.count(1)
	if n == 0 {
		return nil
	}
	v := bytes.Clone(d.left()[:n])
	d.at += n
	return v
}

func (octetsCodec) print(dst []byte, v []byte) []byte { return strconv.AppendQuote(dst, string(v)) }

func (octetsCodec) parse(s string) ([]byte, error) {
	v, err := stringCodec{}.parse(s)
	return []byte(v), err
}

func (octetsCodec) zero(v []byte) bool { return len(v) == 0 }
func (octetsCodec) String() string     { return "bytes" }

// boolCodec is a bool as 0 or 1.
type boolCodec struct{}

func (boolCodec) encode(e *encoder, v, _ bool) {
	if v {
		e.uint(1)
	} else {
		e.uint(0)
	}
}

func (boolCodec) decode(d *decoder, _ bool) bool {
	u := d.uint()
	if u > 1 {
		d.fail(fmt.Errorf("%d is no bool", u))
	}
	return u == 1
}

func (boolCodec) print(dst []byte, v bool) []byte { return strconv.AppendBool(dst, v) }

func (boolCodec) parse(s string) (bool, error) {
	if s != "true" && s != "false" {
		return false, errors.New("needs true or false")
	}
	return s == "true", nil
}

func (boolCodec) zero(v bool) bool { return !v }
func (boolCodec) String() string   { return "bool" }

// enumCodec is the index of one of names.
type enumCodec[F ~uint8] struct{ names []string }

func (c enumCodec[F]) encode(e *encoder, v, _ F) {
	if int(v) >= len(c.names) {
		e.fail(fmt.Errorf("%d is none of %s", v, strings.Join(c.names, ", ")))
	}
	e.uint(uint64(v))
}

func (c enumCodec[F]) decode(d *decoder, _ F) F {
	u := d.uint()
	if u >= uint64(len(c.names)) {
		d.fail(fmt.Errorf("%d is none of %s", u, strings.Join(c.names, ", ")))
		return 0
	}
	return F(u)
}

func (c enumCodec[F]) print(dst []byte, v F) []byte {
	if int(v) >= len(c.names) {
		return strconv.AppendUint(dst, uint64(v), 10)
	}
	return append(dst, c.names[v]...)
}

func (c enumCodec[F]) parse(s string) (F, error) {
	for i, name := range c.names {
		if s == name {
			return F(i), nil
		}
	}
	return 0, fmt.Errorf("%q is none of %s", s, strings.Join(c.names, ", "))
}

func (c enumCodec[F]) zero(v F) bool { return v == 0 }

func (c enumCodec[F]) String() string {
	var b strings.Builder
	b.WriteString("enum: ")
	for i, name := range c.names {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%d %s", i, name)
	}
	return b.String()
}
