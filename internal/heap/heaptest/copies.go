package heaptest

import (
	"encoding/binary"

	"mallard/internal/abi"
	"mallard/internal/trace"
)

// Copies are records of what are copies of what Demo has: 1,800 of 2,000 demo/Point are one, the others differ; of 100
// java/lang/String there are 50 different ones; demo/Entry has a sample, one of 4, of which 10 are pairs. What has
// lived are 7 demo/Point that differ, and 40 java/lang/String of 10 contents.
func Copies() []trace.Record { return copies("") }

// CopiesIn are Copies, of which only those were to be hashed that methods make whose names match patterns.
func CopiesIn(methods string) []trace.Record { return copies(methods) }

// CopiesWithValues are Copies with contents of the two largest groups of demo/Point: one int, and a name that tries to
// clear the screen.
func CopiesWithValues() []trace.Record {
	value := func(hash uint64, contents string) []byte {
		b := binary.LittleEndian.AppendUint32(nil, 1)
		b = binary.LittleEndian.AppendUint32(b, abi.HeapFirstClass)
		return append(binary.LittleEndian.AppendUint64(b, hash), contents...)
	}
	return copies("",
		value(1, "o\x0ademo/Pointf\x01xI\x07\x00\x00\x00e"),
		value(2, "o\x0ademo/Pointf\x05\x1b[2J!n"))
}

func copies(methods string, values ...[]byte) []trace.Record {
	const points, texts, entries = abi.HeapFirstClass, abi.HeapFirstClass + 1, abi.HeapFirstClass + 4
	groups, sums := binary.LittleEndian.AppendUint32(nil, 1), binary.LittleEndian.AppendUint32(nil, 1)
	group := func(class, objects, words, hash uint64) {
		groups = appendNumbers(groups, class, objects, words)
		groups = binary.LittleEndian.AppendUint64(groups, hash)
	}
	group(points, 1800, 3, 1)
	for i := range uint64(200) {
		group(points, 1, 3, 2+i)
	}
	for i := range uint64(50) {
		group(texts, 2, 3, 1+i)
	}
	for i := range uint64(10) {
		group(entries, 2, 4, 4*i)
	}
	sums = appendNumbers(sums, points, 2000, 6000, 0, 0)
	sums = appendNumbers(sums, texts, 100, 300, 3, 0)
	sums = appendNumbers(sums, entries, 80, 320, 0, 2)
	livedGroups, livedSums := binary.LittleEndian.AppendUint32(nil, 1), binary.LittleEndian.AppendUint32(nil, 1)
	for i := range uint64(17) {
		of, objects := uint64(points), uint64(1)
		if i >= 7 {
			of, objects = texts, 4
		}
		livedGroups = binary.LittleEndian.AppendUint64(appendNumbers(livedGroups, of, objects, 3), i)
	}
	livedSums = appendNumbers(livedSums, points, 7, 21, 0, 0, texts, 40, 120, 0, 0)
	patterns := uint64(min(len(methods), 1))
	var end []byte
	for _, word := range [abi.ReplicaEndWords]uint64{abi.ReplicaEndSet: 1,
		abi.ReplicaEndEvents: 4 + patterns + uint64(len(values)), abi.ReplicaEndNanoseconds: 5e6,
		abi.ReplicaEndObjects: 2227, abi.ReplicaEndWalks: 4, abi.ReplicaEndSkipped: 1, abi.ReplicaEndBudget: 1e8} {
		end = binary.LittleEndian.AppendUint64(end, word)
	}
	record := &trace.Events{Observer: "replicas"}
	put := func(kind uint16, data []byte) {
		record.Headers = append(record.Headers, trace.EventHeader{Kind: kind, Bytes: uint32(len(data))})
		record.Data = append(record.Data, data...)
	}
	if methods != "" {
		put(abi.EventReplicaIn, append(binary.LittleEndian.AppendUint32(nil, 1), methods...))
	}
	put(abi.EventReplicaGroups, groups)
	for _, v := range values {
		put(abi.EventReplicaValue, v)
	}
	put(abi.EventReplicaSums, sums)
	put(abi.EventReplicaLivedGroups, livedGroups)
	put(abi.EventReplicaLivedSums, livedSums)
	put(abi.EventReplicaEnd, end)
	return []trace.Record{record}
}

func appendNumbers(b []byte, numbers ...uint64) []byte {
	for _, n := range numbers {
		b = binary.AppendUvarint(b, n)
	}
	return b
}
