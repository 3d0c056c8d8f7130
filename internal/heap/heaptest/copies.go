package heaptest

import (
	"encoding/binary"

	"mallard/internal/abi"
	"mallard/internal/trace"
)

// Copies are records of what are copies of what Demo has: 1,800 of 2,000 demo/Point are one, the others differ; of 100
// java/lang/String there are 50 different ones; demo/Entry has a sample, one of 4, of which 10 are pairs.
func Copies() []trace.Record {
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
	var end []byte
	for _, word := range [abi.ReplicaEndWords]uint64{abi.ReplicaEndSet: 1, abi.ReplicaEndEvents: 2,
		abi.ReplicaEndNanoseconds: 5e6, abi.ReplicaEndObjects: 2180, abi.ReplicaEndWalks: 4,
		abi.ReplicaEndSkipped: 1, abi.ReplicaEndBudget: 1e8} {
		end = binary.LittleEndian.AppendUint64(end, word)
	}
	record := &trace.Events{Observer: "replicas"}
	for _, e := range []struct {
		kind uint16
		data []byte
	}{{abi.EventReplicaGroups, groups}, {abi.EventReplicaSums, sums}, {abi.EventReplicaEnd, end}} {
		record.Headers = append(record.Headers, trace.EventHeader{Kind: e.kind, Bytes: uint32(len(e.data))})
		record.Data = append(record.Data, e.data...)
	}
	return []trace.Record{record}
}

func appendNumbers(b []byte, numbers ...uint64) []byte {
	for _, n := range numbers {
		b = binary.AppendUvarint(b, n)
	}
	return b
}
