package replica

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"

	"mallard/internal/abi"
)

// A Value is contents of an object, as package abi has them ("What a value is"). It may be damaged.
type Value []byte

const (
	maxNested    = 32  // values in one another
	maxValueText = 600 // bytes of text, about
	cut          = "…"
)

// String gives contents in Java's words: Point{x=1, y=2}, int[3]{1, 2, 3}, "text", null. Nothing in it moves a
// terminal's cursor. What was left out, or is damaged, is an ellipsis.
func (v Value) String() string {
	r := valueReader{rest: v}
	r.value(0)
	return r.out.String()
}

// valueReader writes what it reads.
type valueReader struct {
	rest  []byte
	out   strings.Builder
	ended bool // nothing follows
}

// end says that nothing more is known.
func (r *valueReader) end() {
	if !r.ended {
		r.out.WriteString(cut)
	}
	r.ended = true
}

// take gives so many bytes, or nil.
func (r *valueReader) take(n uint64) []byte {
	if r.ended || uint64(len(r.rest)) < n || r.out.Len() > maxValueText {
		r.end()
		return nil
	}
	taken := r.rest[:n]
	r.rest = r.rest[n:]
	return taken
}

// letter reads a letter; 0 where there is none.
func (r *valueReader) letter() byte {
	b := r.take(1)
	if b == nil {
		return 0
	}
	return b[0]
}

func (r *valueReader) number() uint64 {
	n, length := binary.Uvarint(r.rest)
	if length <= 0 {
		r.end()
		return 0
	}
	r.take(uint64(length))
	return n
}

// name reads a name, printable.
func (r *valueReader) name() string {
	return strings.Map(func(c rune) rune {
		if unicode.IsPrint(c) {
			return c
		}
		return unicode.ReplacementChar
	}, string(r.take(r.number())))
}

// class reads the name of a class and gives it as people write it, without its package.
func (r *valueReader) class() string { return simple(r.name()) }

func simple(name string) string {
	of := strings.TrimLeft(name, "[")
	dimensions := len(name) - len(of)
	if name = of; dimensions > 0 {
		if primitive, ok := primitives[name]; ok {
			name = primitive
		}
		name = strings.TrimSuffix(strings.TrimPrefix(name, "L"), ";")
	}
	return name[strings.LastIndexByte(name, '/')+1:] + strings.Repeat("[]", min(dimensions, maxNested))
}

// primitives are types by their descriptors.
var primitives = map[string]string{"Z": "boolean", "B": "byte", "C": "char", "S": "short", "I": "int", "J": "long",
	"F": "float", "D": "double"}

// widths are bytes of values.
var widths = map[byte]uint64{'Z': 1, 'B': 1, 'C': 2, 'S': 2, 'I': 4, 'J': 8, 'F': 4, 'D': 8}

func (r *valueReader) value(nested int) {
	switch letter := r.letter(); {
	case r.ended:
	case nested > maxNested:
		r.end()
	case widths[letter] > 0:
		if b := r.take(widths[letter]); b != nil {
			r.out.WriteString(primitive(letter, b))
		}
	case letter == abi.ValueNull:
		r.out.WriteString("null")
	case letter == abi.ValueClass:
		r.out.WriteString(r.class() + ".class")
	case letter == abi.ValueObject:
		class := r.class()
		if identity := r.take(4); identity != nil {
			fmt.Fprintf(&r.out, "%s@%x", class, binary.LittleEndian.Uint32(identity))
		}
	case letter == abi.ValueArray:
		r.array(nested)
	case letter == abi.ValueInstance:
		r.instance(nested)
	default:
		r.end()
	}
}

// instance writes fields; of strings and boxes what they stand for.
func (r *valueReader) instance(nested int) {
	class := r.name()
	if class == "java/lang/String" && r.text() {
		return
	}
	isBox := boxes[class]
	if !isBox {
		r.out.WriteString(simple(class) + "{")
	}
	for first := true; !r.ended; first = false {
		switch r.letter() {
		case abi.ValueField:
			name := r.name()
			if !first {
				r.out.WriteString(", ")
			}
			if !isBox {
				r.out.WriteString(name + "=")
			}
			r.value(nested + 1)
		case abi.ValueEnd:
			if !isBox {
				r.out.WriteString("}")
			}
			return
		default:
			r.end()
		}
	}
}

// boxes are classes that stand for the value of their one field.
var boxes = map[string]bool{"java/lang/Boolean": true, "java/lang/Byte": true, "java/lang/Character": true,
	"java/lang/Short": true, "java/lang/Integer": true, "java/lang/Long": true, "java/lang/Float": true,
	"java/lang/Double": true}

// text writes a string that has its bytes and its coder; false, with nothing read, where it has something else.
func (r *valueReader) text() bool {
	at := valueReader{rest: r.rest}
	var bytes []byte
	length, utf16 := uint64(0), false
	for range 2 {
		if at.letter() != abi.ValueField {
			return false
		}
		switch name := at.name(); {
		case name == "value":
			if at.letter() != abi.ValueArray || at.letter() != 'B' {
				return false
			}
			length = at.number()
			bytes = at.take(at.number())
		case name == "coder" && at.letter() == 'B':
			utf16 = at.letter() == 1
		default:
			return false
		}
	}
	if at.letter() != abi.ValueEnd || at.ended || bytes == nil {
		return false
	}
	r.rest = at.rest
	r.quote(bytes, utf16, uint64(len(bytes)) < length)
	return true
}

// quote writes characters, of one byte or two each.
func (r *valueReader) quote(b []byte, wide, more bool) {
	var text []rune
	if wide {
		var units []uint16
		for ; len(b) >= 2; b = b[2:] {
			units = append(units, binary.LittleEndian.Uint16(b))
		}
		text = utf16.Decode(units)
	} else {
		for _, c := range b {
			text = append(text, rune(c))
		}
	}
	r.out.WriteString(strconv.QuoteToGraphic(string(text)))
	if more {
		r.out.WriteString(cut)
	}
}

// array writes the first elements, and how many there are.
func (r *valueReader) array(nested int) {
	letter := r.letter()
	length, count := r.number(), r.number()
	of := primitives[string(rune(letter))]
	if letter == 'L' {
		of = "Object"
	}
	if r.ended || of == "" || count > length || count > abi.ReplicaValueElements {
		r.end()
		return
	}
	fmt.Fprintf(&r.out, "%s[%d]", of, length)
	if letter == 'C' {
		if b := r.take(2 * count); b != nil {
			r.quote(b, true, count < length)
		}
		return
	}
	r.out.WriteString("{")
	for i := range count {
		if i > 0 {
			r.out.WriteString(", ")
		}
		if letter == 'L' {
			r.value(nested + 1)
		} else if b := r.take(widths[letter]); b != nil {
			r.out.WriteString(primitive(letter, b))
		}
		if r.ended {
			return
		}
	}
	if count < length {
		r.out.WriteString(", " + cut)
	}
	r.out.WriteString("}")
}

// primitive gives a value of so many bytes.
func primitive(letter byte, b []byte) string {
	switch letter {
	case 'Z':
		return strconv.FormatBool(b[0] != 0)
	case 'B':
		return strconv.Itoa(int(int8(b[0])))
	case 'C':
		return strconv.QuoteRuneToGraphic(rune(binary.LittleEndian.Uint16(b)))
	case 'S':
		return strconv.Itoa(int(int16(binary.LittleEndian.Uint16(b))))
	case 'I':
		return strconv.Itoa(int(int32(binary.LittleEndian.Uint32(b))))
	case 'J':
		return strconv.FormatInt(int64(binary.LittleEndian.Uint64(b)), 10)
	case 'F':
		return strconv.FormatFloat(float64(math.Float32frombits(binary.LittleEndian.Uint32(b))), 'g', -1, 32)
	default:
		return strconv.FormatFloat(math.Float64frombits(binary.LittleEndian.Uint64(b)), 'g', -1, 64)
	}
}
