package export

import (
	"fmt"
	"math"
	"strconv"

	"mallard/internal/profile"
)

// Executed bytecodes are told where a recording has them: of methods, threads, contexts, transactions and spans
// of time, with what was allocated for a thousand of them. Types and sites execute nothing.

// hasBytecodes reports whether rows of this kind have bytecodes.
func hasBytecodes(p *profile.Profile, by profile.By) bool {
	return p.Bytecodes && (by == profile.ByMethod || by == profile.ByThread || by == profile.ByContext ||
		by == profile.ByTransaction)
}

// density is how many of something there are for 1,000 bytecodes; false where none were executed.
func density(n, bytecodes int64) (float64, bool) {
	if bytecodes <= 0 {
		return 0, false
	}
	return math.Round(1e6*float64(n)/float64(bytecodes)) / 1e3, true
}

func densityText(n, bytecodes int64) string {
	d, ok := density(n, bytecodes)
	if !ok {
		return "-"
	}
	return strconv.FormatFloat(d, 'f', 2, 64)
}

// executedText says what was executed, and how densely that allocated.
func executedText(a profile.Amount) string {
	return fmt.Sprintf("%s; for 1,000 of them %s objects and %s bytes", counted(a.Bytecodes, "bytecode"),
		densityText(a.Objects, a.Bytecodes), densityText(a.Bytes, a.Bytecodes))
}

// bytecodeColumns are those of a text table.
func bytecodeColumns(amounts []profile.Amount) []column {
	bytecodes, objects, bytes := column{title: "Bytecodes"}, column{title: "Obj/1000"}, column{title: "Bytes/1000"}
	for _, a := range amounts {
		bytecodes.cells = append(bytecodes.cells, grouped(a.Bytecodes))
		objects.cells = append(objects.cells, densityText(a.Objects, a.Bytecodes))
		perThousand := "?"
		if a.BytesKnown() {
			perThousand = densityText(a.Bytes, a.Bytecodes)
		}
		bytes.cells = append(bytes.cells, perThousand)
	}
	return []column{bytecodes, objects, bytes}
}

// jsonBytecodes is part of a row of the JSON form.
type jsonBytecodes struct {
	Bytecodes      *int64   `json:"bytecodes,omitempty"`
	ObjectsPer1000 *float64 `json:"objects_per_1000_bytecodes,omitempty"`
	BytesPer1000   *float64 `json:"bytes_per_1000_bytecodes,omitempty"`
}

func newJSONBytecodes(a profile.Amount) (j jsonBytecodes) {
	j.Bytecodes = &a.Bytecodes
	if d, ok := density(a.Objects, a.Bytecodes); ok {
		j.ObjectsPer1000 = &d
	}
	if d, ok := density(a.Bytes, a.Bytecodes); ok && a.BytesKnown() {
		j.BytesPer1000 = &d
	}
	return j
}
