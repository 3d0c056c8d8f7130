// Package heaptest makes events of the heap, as the agent would.
package heaptest

import (
	"encoding/binary"
	"maps"
	"slices"
	"strconv"
	"strings"

	"mallard/internal/abi"
	"mallard/internal/trace"
)

// Events are made one after the other. The zero value is ready.
type Events struct {
	GivesUp func(class string) bool // behind a pause, whether a class's number is to be another one's; nil: none is

	// of a random program, by pause: what its collection has found dead, by class as in Row
	Died []map[string]Row

	// of RandomSingles: its objects
	Lives []*Life

	records []*trace.Events
	classes map[string]uint32
	last    uint32   // number that was given the first time
	free    []uint32 // to be given again
	walk    uint32
	rows    uint64
	singles [3]uint64 // events and objects of the walk, and those without an address
	given   uint64    // orders so far
}

// die notes that objects have died in the last pause.
func (e *Events) die(r Row) {
	died := e.Died[len(e.Died)-1]
	sum := died[r.Class]
	died[r.Class] = Row{r.Class, sum.Objects + r.Objects, sum.Bytes + r.Bytes}
}

// All gives what was made so far.
func (e *Events) All() []*trace.Events { return e.records }

// recordBytes is how long a record may get.
const recordBytes = 1 << 18

// Life is what became of an object of a random program. Pauses are numbers.
type Life struct {
	Class, Was string // as in Row; what it was until the collection of the pause Sited
	Bytes      int64
	Born, Died int // the pause before which it was born, and the one whose collection has found it dead
	Sited      int
	Order      uint32 // 0: it has none yet
	Promoted   int    // the age at which a collection has made it old; -1: none has
}

// At is its class behind the collection of a pause; "": it is not there.
func (l *Life) At(pause int) string {
	switch {
	case pause < l.Born || pause >= l.Died:
		return ""
	case pause < l.Sited:
		return l.Was
	}
	return l.Class
}

// Row is objects of one class.
type Row struct {
	Class   string // as the JVM names it; with #3 behind it, of loader 3; with @7 behind that, tagged with 7
	Objects uint64
	Bytes   uint64
}

// Place is where objects are, in the numbers of package abi.
type Place struct{ Space, Origin, Age, Region uint32 }

// Add adds an event of any kind.
func (e *Events) Add(kind uint16, data []byte) {
	if n := len(e.records); n == 0 || len(e.records[n-1].Data) > recordBytes {
		e.records = append(e.records, &trace.Events{Observer: "objects"})
	}
	record := e.records[len(e.records)-1]
	record.Headers = append(record.Headers, trace.EventHeader{Kind: kind, Bytes: uint32(len(data))})
	record.Data = append(record.Data, data...)
}

// Implied says that the site of a class, which has a tag (Row.Class), gives none any more.
func (e *Events) Implied(class string) {
	e.Add(abi.EventHeapImplied, binary.LittleEndian.AppendUint32(nil, e.number(class)))
}

// number defines a class where that has not been done; before one with a tag, that without.
func (e *Events) number(class string) uint32 {
	if n, known := e.classes[class]; known {
		return n
	}
	if e.classes == nil {
		e.classes = map[string]uint32{}
	}
	name, tag, tagged := strings.Cut(class, "@")
	number, _ := strconv.Atoi(tag)
	same := uint32(0)
	if tagged {
		same, name = e.number(name), ""
	}
	n := e.take()
	e.classes[class] = n
	name, loader, isOf := strings.Cut(name, "#")
	if isOf {
		id, _ := strconv.Atoi(loader)
		data := binary.LittleEndian.AppendUint32(nil, n)
		e.Add(abi.EventHeapLoader, binary.LittleEndian.AppendUint32(data, uint32(id)))
	}
	var data []byte
	for _, field := range []uint32{n, 0, uint32(number), same} {
		data = binary.LittleEndian.AppendUint32(data, field)
	}
	e.Add(abi.EventHeapClass, append(data, name...))
	return n
}

// take gives a number that no class has.
func (e *Events) take() uint32 {
	if n := len(e.free); n > 0 {
		number := e.free[n-1]
		e.free = e.free[:n-1]
		return number
	}
	e.last = max(e.last+1, abi.HeapFirstClass)
	return e.last
}

// Gone says that classes' numbers are given again.
func (e *Events) Gone(classes ...string) {
	var data []byte
	for _, class := range classes {
		if number, known := e.classes[class]; known {
			data = binary.LittleEndian.AppendUint32(data, number)
			e.free = append(e.free, number)
			delete(e.classes, class)
		}
	}
	e.Add(abi.EventHeapGone, data)
}

func (e *Events) giveUp() {
	if e.GivesUp == nil {
		return
	}
	var gone []string
	for _, class := range slices.Sorted(maps.Keys(e.classes)) {
		if e.GivesUp(class) {
			gone = append(gone, class)
		}
	}
	if len(gone) > 0 {
		e.Gone(gone...)
	}
}

// Rows adds objects in one place to the next walk.
func (e *Events) Rows(at Place, rows ...Row) {
	e.rows++
	var data []byte
	for _, field := range []uint32{e.walk, at.Space, at.Origin, at.Age, at.Region} {
		data = binary.LittleEndian.AppendUint32(data, field)
	}
	for _, r := range rows {
		data = binary.AppendUvarint(data, uint64(e.number(r.Class)))
		data = binary.AppendUvarint(data, r.Objects)
		data = binary.AppendUvarint(data, r.Bytes/8)
	}
	e.Add(abi.EventHeapRows, data)
}

// Born adds objects that were allocated in eden.
func (e *Events) Born(rows ...Row) { e.Rows(Place{Space: abi.HeapEden}, rows...) }

// Moved adds objects of a survivor space of an age, or, where that is 0, of the old generation.
func (e *Events) Moved(age uint32, rows ...Row) {
	at := Place{Space: abi.HeapSurvivor, Origin: abi.HeapMoved, Age: age}
	if age == 0 {
		at.Space = abi.HeapOld
	}
	e.Rows(at, rows...)
}

// Walk is what the VM says at the end of a walk.
type Walk struct {
	Collection             uint64
	Start                  uint64 // nanoseconds
	Used                   [abi.HeapSpaces]uint64
	Unused, Unread, Missed uint64 // Missed are rows that the walk has and the recording lacks
	Last                   bool
	Regions                [3]uint64 // compared, other, bytes
	Buffers                [2]uint64
}

// Walk ends a walk.
func (e *Events) Walk(w Walk) {
	words := make([]uint64, abi.HeapWalkWords)
	words[abi.HeapWalkNumber] = uint64(e.walk)
	words[abi.HeapWalkStart], words[abi.HeapWalkCollection] = w.Start, w.Collection
	words[abi.HeapWalkRows] = e.rows + w.Missed
	copy(words[abi.HeapWalkUsed:], w.Used[:])
	words[abi.HeapWalkUnused], words[abi.HeapWalkUnread] = w.Unused, w.Unread
	copy(words[abi.HeapWalkRegions:], w.Regions[:])
	copy(words[abi.HeapWalkBuffers:], w.Buffers[:])
	if w.Last {
		words[abi.HeapWalkLast], words[abi.HeapWalkCollection] = 1, 1<<32-1
	}
	e.Add(abi.EventHeapWalk, wordBytes(words))
	e.walk++
	e.rows = 0
}

// Skip leaves a walk out, as if it were lost.
func (e *Events) Skip() {
	e.walk++
	e.rows = 0
}

// Finish ends the pause of the last walk.
func (e *Events) Finish(time, collected uint64, freed ...uint64) {
	e.Add(abi.EventHeapFinish, wordBytes(append([]uint64{uint64(e.walk - 1), time, collected}, freed...)))
	e.giveUp()
}

func wordBytes(words []uint64) (data []byte) {
	for _, w := range words {
		data = binary.LittleEndian.AppendUint64(data, w)
	}
	return data
}
