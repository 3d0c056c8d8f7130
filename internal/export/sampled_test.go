package export

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
	pprof "github.com/google/pprof/profile"

	"mallard/internal/abi"
	"mallard/internal/profile"
	"mallard/internal/replica"
	"mallard/internal/symbols"
	"mallard/internal/trace"
)

// TestSampledPprof: each stack that has read objects of a row is a sample, with what it has read in labels; methods
// that are equal are one function, and what was read by nobody is left out.
func TestSampledPprof(t *testing.T) {
	frame := func(name string, line int32) symbols.Frame {
		return symbols.Frame{Method: &symbols.Method{Class: "demo.Main", Name: name, Source: "Main.java"}, Line: line}
	}
	answer := &replica.SampledAnswer{Whole: 5, Watched: 9, Pairs: 7, Lost: 2, Rows: []replica.SampledRow{
		{Class: "demo.Point", Stack: []symbols.Frame{frame("make", 6)}, Accesses: []replica.Access{
			{Stack: []symbols.Frame{frame("draw", 11), frame("main", 3)}, Reads: 500, CopiesRead: 400},
			{Stack: []symbols.Frame{frame("main", 4)}, Reads: 70},
			{Stack: []symbols.Frame{frame("never", 5)}},
		}},
		{Class: "int[]", Stack: []symbols.Frame{frame("fill", 8)}, Accesses: []replica.Access{
			{Stack: []symbols.Frame{frame("draw", 12), frame("main", 3)}, Reads: 30, CopiesRead: 30},
		}},
	}}
	var out bytes.Buffer
	if err := NewSampledReport("demo.mallard", &profile.Profile{}, answer).Pprof(&out); err != nil {
		t.Fatal(err)
	}
	back, err := pprof.ParseData(out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	got := []string{fmt.Sprint(*back.SampleType[0], *back.SampleType[1], " ", back.DefaultSampleType),
		fmt.Sprint(back.Comments[1:]), fmt.Sprint(len(back.Function), " functions")}
	for _, s := range back.Sample {
		line := fmt.Sprint(s.Value, s.Label)
		for _, l := range s.Location {
			line += fmt.Sprintf(" < %s:%d", l.Line[0].Function.Name, l.Line[0].Line)
		}
		got = append(got, line)
	}
	const site = "demo.Main.make(Main.java:6)"
	want := []string{
		"{reads count 0 0} {copies_read count 0 0} copies_read",
		"[Compared 7 pairs of 9 objects, looked at 5 whole " +
			"losses: 2 samples that there was no room for, or that are damaged]",
		"2 functions",
		"[500 400] map[class:[demo.Point] site:[" + site + "]] < demo.Main.draw:11 < demo.Main.main:3",
		"[70 0] map[class:[demo.Point] site:[" + site + "]] < demo.Main.main:4",
		"[30 30] map[class:[int[]] site:[demo.Main.fill(Main.java:8)]] < demo.Main.draw:12 < demo.Main.main:3",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// TestSampledHostile: whatever rows a recording has, each form of what they come to is written.
func TestSampledHostile(t *testing.T) {
	stacks := replica.NewSamples()
	for i, class := range []string{"[I", "Ldemo/Point;", ""} {
		stacks.AddStack(uint32(i+1), &replica.SampledStack{Class: class,
			Frames: []replica.SampledFrame{{Class: "demo/Main", Method: "at", Descriptor: "()V", Line: 7}}})
	}
	type numbers = [abi.SampledNumbers]uint64
	const most = 1 << 53
	for name, rows := range map[string][]numbers{
		"of nothing":        {{abi.SampledMade: 1}, {abi.SampledMade: 2}, {abi.SampledMade: 1, abi.SampledRead: 3}},
		"of whom nobody is": {{abi.SampledMade: 9, abi.SampledObjects: 1}},
		"of a reader":       {{abi.SampledMade: 3, abi.SampledObjects: 1}},
		"of most": {
			{abi.SampledMade: 1, abi.SampledObjects: most, abi.SampledStandsFor: most, abi.SampledBytes: most},
			{abi.SampledMade: 1, abi.SampledRead: 3, abi.SampledObjects: most, abi.SampledStandsFor: most,
				abi.SampledBytes: most, abi.SampledEqual: most, abi.SampledCopies: most, abi.SampledNear: most},
		},
	} {
		t.Run(name, func(t *testing.T) {
			record, events := &trace.Events{Observer: replica.Observer}, uint64(0)
			add := func(kind uint16, data []byte) {
				record.Headers = append(record.Headers, trace.EventHeader{Kind: kind, Bytes: uint32(len(data))})
				record.Data = append(record.Data, data...)
				events++
			}
			for kind, data := range stacks.Records(1)[0].All() {
				if kind == abi.EventSampledStack {
					add(kind, data)
				}
			}
			for _, row := range rows {
				data := binary.LittleEndian.AppendUint32(nil, 1)
				for _, n := range row {
					data = binary.AppendUvarint(data, n)
				}
				add(abi.EventSampledRows, data)
			}
			var end []byte
			for _, n := range [abi.SampledEndWords]uint64{abi.SampledEndSet: 1, abi.SampledEndEvents: events} {
				end = binary.LittleEndian.AppendUint64(end, n)
			}
			add(abi.EventSampledEnd, end)
			samples := replica.ReadSamples([]*trace.Events{record})
			if damaged := name == "of nothing"; (samples == nil) != damaged {
				t.Fatalf("%+v", samples)
			} else if damaged {
				return
			}
			for _, q := range []replica.SampledQuery{{}, {ByContext: true, ByReads: true}} {
				r := NewSampledReport("demo.mallard", &profile.Profile{}, samples.Ask(&profile.Profile{}, q))
				for form, write := range map[string]func(io.Writer) error{"text": r.Text, "verbose": r.VerboseText,
					"JSON": r.JSON, "CSV": r.CSV, "pprof": r.Pprof, "page": r.Page} {
					if err := write(io.Discard); err != nil {
						t.Errorf("%s: %v", form, err)
					}
				}
			}
		})
	}
}

// TestSampledArrays: of arrays, which may have several lengths, copies are a share of the bytes, and how many objects
// they are is not said; of other objects it is.
func TestSampledArrays(t *testing.T) {
	s := replica.NewSamples()
	s.AddStack(9, &replica.SampledStack{Frames: []replica.SampledFrame{{Class: "demo/Main", Method: "read"}}})
	for i, class := range []string{"[I", "Ldemo/Point;", "[J", "Ldemo/Line;"} {
		made := uint32(i + 1)
		s.AddStack(made, &replica.SampledStack{Class: class,
			Frames: []replica.SampledFrame{{Class: "demo/Main", Method: "make", Line: made}}})
		for range 100 {
			s.AddSampled(made, 32, 10)
			if i < 2 {
				s.AddWhole(made, 1)
			} else {
				s.AddPair(made, 9, abi.PairEqual|abi.PairKnown|abi.PairCopies, 0)
			}
		}
	}
	r := NewSampledReport("demo.mallard", &profile.Profile{}, s.Ask(&profile.Profile{}, replica.SampledQuery{}))
	var text, csv, json bytes.Buffer
	for _, err := range []error{r.VerboseText(&text), r.CSV(&csv), r.JSON(&json)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	const objects = " of about 1,000 objects"
	for _, c := range []struct{ class, says, saved, csv string }{
		{"int[]", "copies have 100 % of the bytes" + objects + " (at least 96 %)", "null", ""},
		{"demo.Point", "100 %" + objects + " are copies (at least 96 %)", "1000", "1000"},
		{"long[]", "copies of one have 96 to 100 % of the bytes" + objects + ";", "null", ""},
		{"demo.Line", "96 to 100 %" + objects + " are copies of one;", "1000", "1000"},
	} {
		for out, want := range map[*bytes.Buffer]string{
			&text: regexp.QuoteMeta(c.class) + ` made at demo\.Main\.make\(line \d\): ` + regexp.QuoteMeta(c.says),
			&json: `"objects_saved":` + c.saved + `,.*"class":"` + regexp.QuoteMeta(c.class) + `"`,
			&csv:  `,32000,` + c.csv + `,false,false,true,` + regexp.QuoteMeta(c.class) + `,`,
		} {
			if !regexp.MustCompile(want).Match(out.Bytes()) {
				t.Errorf("no %s in\n%s", want, out)
			}
		}
	}
}
