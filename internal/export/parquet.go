package export

import (
	"encoding/json"
	"io"

	"github.com/parquet-go/parquet-go"

	"mallard/internal/profile"
)

// Parquet's bounds: what is kept of a row group until it is written.
const (
	parquetGroup = 1 << 16 // rows
	parquetBatch = 1 << 10 // rows
)

// Parquet writes the samples that the filter selects as an Apache Parquet file: a row for each site and thread, or for
// each context and thread where contexts were tracked. Totals and losses are in its metadata.
func Parquet(w io.Writer, file string, p *profile.Profile, filter profile.Filter, labels map[string]string) error {
	out := parquet.NewGenericWriter[parquetRow](w, parquet.Compression(&parquet.Zstd),
		parquet.MaxRowsPerRowGroup(parquetGroup), parquet.CreatedBy("mallard", "", ""))
	out.SetKeyValueMetadata("mallard.schema", ParquetSchema)
	for key, value := range map[string]any{"mallard.totals": newJSONAmount(p.Total),
		"mallard.losses": newJSONLosses(p)} {
		text, err := json.Marshal(value)
		if err != nil {
			return err
		}
		out.SetKeyValueMetadata(key, string(text))
	}
	r := newParquetRows(file, p, labels)
	rows := make([]parquetRow, 0, parquetBatch)
	for s := range p.Samples(filter) {
		if s.Site.Executed && !p.Bytecodes {
			continue
		}
		if rows = append(rows, r.row(&s)); len(rows) == cap(rows) {
			if _, err := out.Write(rows); err != nil {
				return err
			}
			rows = rows[:0]
		}
	}
	if _, err := out.Write(rows); err != nil {
		return err
	}
	return out.Close()
}
