package trace

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the files that tests compare with, and fail")

// golden compares got with a file, or rewrites it.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	want, err := os.ReadFile(name)
	if err == nil && bytes.Equal(want, got) {
		return
	}
	if *update {
		if err := os.WriteFile(name, got, 0o666); err != nil {
			t.Fatal(err)
		}
		t.Fatalf("%s rewritten", name)
	}
	t.Errorf("%s is not up to date (%v); -update rewrites it. -want +got:\n%s", name, err,
		cmp.Diff(string(want), string(got)))
}

func textOf(records []Record) []byte {
	var b []byte
	for _, r := range records {
		b = AppendText(b, r)
	}
	return b
}

func parseText(text []byte) (records []Record, err error) {
	r := NewTextReader(bytes.NewReader(text))
	for {
		record, err := r.Next()
		if err == io.EOF {
			return records, nil
		}
		if err != nil {
			return nil, err
		}
		records = append(records, record)
	}
}

func TestText(t *testing.T) {
	golden(t, "testdata/sample.txt", textOf(sample()))
	text, err := os.ReadFile("testdata/sample.txt")
	if err != nil {
		t.Fatal(err)
	}
	records, err := parseText(text)
	if err != nil {
		t.Fatal(err)
	}
	want := withoutIndex(inFileOrder(4, records))
	records, damage := decode(t, encode(t, 4, records...))
	if diff := cmp.Diff(string(textOf(want)), string(textOf(withoutIndex(records)))); diff != "" || len(damage) > 0 {
		t.Errorf("text to binary to text: damage %v, -want +got:\n%s", damage, diff)
	}
}

// TestRandomRecords takes records of random contents through both forms.
func TestRandomRecords(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var want []Record
	for range 200 {
		for _, r := range sample() {
			record := reflect.New(reflect.TypeOf(r).Elem())
			randomize(random, record.Elem())
			want = append(want, record.Interface().(Record))
		}
	}
	got, damage := decode(t, encode(t, 17, want...))
	if diff := cmp.Diff(withoutIndex(inFileOrder(17, want)), withoutIndex(got)); diff != "" || len(damage) > 0 {
		t.Errorf("binary: damage %v, -want +got:\n%s", damage, diff)
	}
	got, err := parseText(textOf(want)) // which has every Index
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("text: error %v, -want +got:\n%s", err, diff)
	}
}

// randomize fills v with numbers of all magnitudes and strings of any bytes.
func randomize(random *rand.Rand, v reflect.Value) {
	bits := random.Uint64() >> random.IntN(64)
	switch v.Interface().(type) {
	case SiteKind:
		v.SetUint(bits % uint64(len(siteKindNames)))
		return
	case CounterKind:
		v.SetUint(bits % uint64(len(counterKindNames)))
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(bits&1 == 1)
	case reflect.String:
		b := make([]byte, random.IntN(4))
		for i := range b {
			b[i] = "a\x00\" \n]é\xff"[random.IntN(9)]
		}
		v.SetString(string(b))
	case reflect.Int32, reflect.Int64:
		v.SetInt(int64(bits) << (64 - v.Type().Bits()) >> (64 - v.Type().Bits()))
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(bits << (64 - v.Type().Bits()) >> (64 - v.Type().Bits()))
	case reflect.Struct:
		for i := range v.NumField() {
			randomize(random, v.Field(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			randomize(random, v.Index(i))
		}
	case reflect.Slice:
		if n := random.IntN(4); n > 0 {
			v.Set(reflect.MakeSlice(v.Type(), n, n))
			for i := range n {
				randomize(random, v.Index(i))
			}
		}
	default:
		panic(v.Type())
	}
}

// TestFieldsOfTables checks that every field of every struct is in its table.
func TestFieldsOfTables(t *testing.T) {
	for _, l := range layouts {
		if l == nil {
			continue
		}
		for _, s := range l.schemas() {
			var fields []string
			for i := range s.row.NumField() {
				fields = append(fields, s.row.Field(i).Name)
			}
			var columns []string
			for _, f := range s.fields {
				columns = append(columns, f.name)
			}
			if diff := cmp.Diff(fields, columns); diff != "" {
				t.Errorf("%s: -struct +table:\n%s", s.row.Name(), diff)
			}
		}
	}
}

func TestTextErrors(t *testing.T) {
	for text, want := range map[string]string{
		"Threat ID=1":                                 `line 1: no record is called "Threat"`,
		"\n# note\n  Thread ID=1":                     `line 3: a record begins at the start of a line`,
		"Thread ID=x":                                 `line 1: Thread: ID: `,
		"Thread ID=1 ID=1":                            `line 1: Thread: ID is given twice`,
		"Thread ID=1 Size=1":                          `line 1: Thread: Size: no such field`,
		"Thread ID=4294967296":                        `value out of range`,
		"Thread ID":                                   `needs a value`,
		"Thread ID=1 ":                                `space at the end`,
		"Thread Name=main":                            `string needs quotes`,
		`Thread Name="a"b`:                            `space expected after string`,
		`Thread Name="a`:                              `invalid syntax`,
		"Thread Carrier=1":                            `needs true or false`,
		"Snapshot Values=1:2":                         `list needs [ and ]`,
		"Snapshot Values=[1:2":                        `list needs ]`,
		"Snapshot Values=[1]":                         `"1" has not 2 numbers`,
		"Snapshot Values=[-1:0]":                      `-1 is out of range`,
		"Process ArrayBase=[1 2]":                     `needs four items`,
		"ClassDef Methods=1":                          `Methods: no such field`,
		"ClassDef\n  SiteDef":                         `line 2: ClassDef has no rows "SiteDef" there`,
		"ClassDef\n    MethodDef":                     `line 2: ClassDef has no rows "MethodDef" there`,
		"ClassDef\n  MethodDef\n  Nothing":            `line 3: ClassDef has no rows "Nothing" there`,
		"Mark\n  MethodDef":                           `Mark has no rows "MethodDef" there`,
		"ClassDef\n  MethodDef\n    SiteDef Kind=Odd": `line 3: SiteDef: Kind: "Odd" is none of Instance, `,
	} {
		if records, err := parseText([]byte(text)); err == nil || records != nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %s", text, err, want)
		}
	}
}

func ExampleAppendText() {
	fmt.Printf("%s", AppendText(nil,
		&Snapshot{Nanos: 1e9, Thread: 2, Values: []CounterValue{{Counter: 7, Value: 2}, {Counter: 9, Value: 100}}}))
	// Output: Snapshot Nanos=1000000000 Thread=2 Values=[7:2 9:100]
}
