package heaptest

import (
	"bytes"

	"mallard/internal/abi"
	"mallard/internal/trace"
)

// Demo is a small program with G1: two young collections, one that finds a humongous array dead, one that is full, a
// Remark, and an end.
func Demo() *Events {
	e := &Events{}
	e.Born(Row{"demo/Point", 1000, 24000}, Row{"java/lang/String", 100, 2400}, Row{"[I", 10, 1040})
	e.Walk(Walk{Collection: 0, Start: 1e9, Used: [4]uint64{27440 + 560}, Unused: 560})
	e.Finish(1.01e9, abi.HeapYoung)

	e.Moved(1, Row{"demo/Point", 10, 240}, Row{"java/lang/String", 40, 960})
	e.Rows(Place{Space: abi.HeapOld, Origin: abi.HeapMoved, Region: 3}, Row{"[I", 2, 208},
		Row{"[Ljdk/internal/vm/FillerElement;", 1, 48})
	e.Born(Row{"demo/Point", 2000, 48000}, Row{"demo/Entry", 50, 1600})
	e.Rows(Place{Space: abi.HeapHumongous, Region: 7}, Row{"[B", 1, 1048592})
	e.Walk(Walk{Collection: 1, Start: 2e9, Used: [4]uint64{49600, 1200, 256, 1048592}})
	e.Finish(2.01e9, abi.HeapYoung, 7)

	e.Moved(1, Row{"demo/Point", 5, 120}, Row{"demo/Entry", 50, 1600})
	e.Moved(2, Row{"java/lang/String", 30, 720})
	e.Rows(Place{Space: abi.HeapOld, Origin: abi.HeapMoved, Region: 4}, Row{"demo/Point", 4, 96})
	e.Born(Row{"demo/Point", 500, 12000})
	e.Walk(Walk{Collection: 2, Start: 3e9, Used: [4]uint64{12000, 2440, 352}})
	e.Finish(3.02e9, abi.HeapEverything, 3, 4)

	e.Rows(Place{Space: abi.HeapOld, Origin: abi.HeapMoved, Region: 5}, Row{"demo/Point", 6, 144},
		Row{"demo/Entry", 50, 1600}, Row{"[I", 1, 104})
	e.Born(Row{"demo/Entry", 20, 640})
	e.Walk(Walk{Collection: 3, Start: 4e9, Used: [4]uint64{640, 0, 1848}})
	e.Finish(4.001e9, abi.HeapNothing)

	e.Born(Row{"demo/Point", 8, 192})
	e.Walk(Walk{Start: 5e9, Used: [4]uint64{832 + 168, 0, 1848}, Unused: 168, Last: true})
	return e
}

// Leak is a program that makes a hundred entries in a quarter of a second, and keeps all of them; then there is
// a full collection.
func Leak() *Events {
	e := &Events{}
	const entries = 100
	for i := range uint64(20) {
		e.Moved(0, Row{"demo/Entry", entries * i, 32 * entries * i}, Row{"demo/Cache", min(i, 1), 24 * min(i, 1)})
		e.Born(Row{"demo/Entry", entries, 32 * entries}, Row{"demo/Cache", 1 - min(i, 1), 24 * (1 - min(i, 1))},
			Row{"demo/Point", 1000, 24000})
		e.Walk(Walk{Collection: i, Start: i * 25e7})
		e.Finish(i*25e7+1e7, abi.HeapEverything)
	}
	e.Moved(0, Row{"demo/Entry", entries * 20, 32 * entries * 20}, Row{"demo/Cache", 1, 24})
	e.Walk(Walk{Start: 5e9, Last: true})
	return e
}

// Odd is a program that was killed in its first collection, of which events are missing, and that has classes with odd
// names.
func Odd() *Events {
	e := &Events{}
	e.Born(Row{"=HYPERLINK(1)", 1, 16}, Row{"\x1b[31mred", 1, 16})
	e.Walk(Walk{Collection: 4, Start: 1e9, Used: [4]uint64{64}, Missed: 1})
	return e
}

// Recording makes a recording that has events, and other records.
func Recording(e *Events, others ...trace.Record) ([]byte, error) {
	var out bytes.Buffer
	writer := trace.NewWriter(&out)
	records := []trace.Record{&trace.Process{MallardVersion: "v0.1.0", PID: 4711, JVMVersion: "25+36",
		JVMName: "OpenJDK 64-Bit Server VM", GC: "G1", Command: []string{"java", "demo.Main"},
		Started: 1763648000000000000, Track: []string{"sites", "objects"}, Placement: "optimal", Arch: "amd64",
		ArrayBase: [4]uint32{16, 16, 16, 16}, RefBytes: 4, ObjectAlignment: 8}}
	records = append(records, others...)
	for _, r := range others {
		if events, is := r.(*trace.Events); is {
			records[0].(*trace.Process).Track = []string{"sites", "objects", events.Observer}
		}
	}
	for _, r := range e.All() {
		records = append(records, r)
	}
	for _, r := range append(records, &trace.Mark{Nanos: 5e9}, &trace.End{Nanos: 5e9, Complete: true,
		ExitReason: "the JVM ended"}) {
		if err := writer.Write(r); err != nil {
			return nil, err
		}
	}
	err := writer.Flush()
	return out.Bytes(), err
}
