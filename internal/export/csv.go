package export

import (
	"encoding/csv"
	"io"
	"slices"
	"strconv"

	"mallard/internal/profile"
)

// csvColumn is a column of the CSV form: the name of the JSON member, nested
// ones joined by a dot, and what a row has there.
type csvColumn struct {
	name string
	cell func(p *profile.Profile, row profile.Row) string
}

// csvText is a column of names.
func csvText(column string, name func(p *profile.Profile, row profile.Row) string) csvColumn {
	return csvColumn{column, func(p *profile.Profile, row profile.Row) string { return spreadsheetCell(name(p, row)) }}
}

var (
	csvClass      = csvText("class", func(_ *profile.Profile, r profile.Row) string { return r.Class })
	csvElement    = csvColumn{"element", csvClass.cell}
	csvLoader     = csvText("loader", func(_ *profile.Profile, r profile.Row) string { return r.Loader })
	csvSiteClass  = csvText("site.class", func(_ *profile.Profile, r profile.Row) string { return r.Site.Class })
	csvMethod     = csvText("site.method", func(_ *profile.Profile, r profile.Row) string { return r.Site.Method })
	csvDescriptor = csvText("site.descriptor", func(_ *profile.Profile, r profile.Row) string {
		return r.Site.Descriptor
	})
	csvLine = csvColumn{"site.line", func(_ *profile.Profile, r profile.Row) string {
		return strconv.Itoa(int(r.Site.Line))
	}}
	csvBCI = csvColumn{"site.bci", func(_ *profile.Profile, r profile.Row) string {
		return strconv.Itoa(int(r.Site.BCI))
	}}
	csvThread  = csvText("thread", func(_ *profile.Profile, r profile.Row) string { return r.Thread })
	csvThreads = csvColumn{"threads", func(_ *profile.Profile, r profile.Row) string {
		return strconv.Itoa(r.Threads)
	}}
	csvName    = csvText("transaction", func(_ *profile.Profile, r profile.Row) string { return r.Transaction })
	csvObjects = csvColumn{"objects", func(_ *profile.Profile, r profile.Row) string {
		return strconv.FormatInt(r.Amount.Objects, 10)
	}}
	csvBytes = csvColumn{"bytes", func(_ *profile.Profile, r profile.Row) string {
		if !r.Amount.BytesKnown() {
			return ""
		}
		return strconv.FormatInt(r.Amount.Bytes, 10)
	}}
	csvElements = csvColumn{"elements", func(_ *profile.Profile, r profile.Row) string {
		if !r.Array {
			return ""
		}
		return strconv.FormatInt(r.Amount.Elements, 10)
	}}
)

// csvProgram is a column of what a program is.
func csvProgram(name string, of func(*jsonProgram) string) csvColumn {
	return csvText("program."+name, func(_ *profile.Profile, r profile.Row) string {
		return of(newJSONProgram(r.Program))
	})
}

// csvStack joins the frames by semicolons.
var csvStack = csvText("stack", func(p *profile.Profile, r profile.Row) string {
	return stackLines(foldStack(p.Stack(r.Site, r.Context), r.Folded))
})

// csvPart is a column of another amount of a row.
func csvPart(name string, of csvColumn, amount func(r profile.Row) profile.Amount) csvColumn {
	return csvColumn{name, func(p *profile.Profile, r profile.Row) string {
		r.Amount = amount(r)
		return of.cell(p, r)
	}}
}

// csvSelf is a column of what no other line of the user's has led to.
func csvSelf(name string, of csvColumn) csvColumn {
	return csvPart(name, of, func(r profile.Row) profile.Amount { return r.Self })
}

// csvInclusive are the columns of methods with what they called.
var csvInclusive = []csvColumn{
	csvPart("inclusive_objects", csvObjects, func(r profile.Row) profile.Amount { return r.Inclusive }),
	csvPart("inclusive_bytes", csvBytes, func(r profile.Row) profile.Amount { return r.Inclusive }),
}

// csvColumns lists the columns by what rows stand for.
var csvColumns = map[profile.By][]csvColumn{
	profile.BySite: {
		csvClass, csvSiteClass, csvMethod, csvDescriptor, csvLine, csvBCI, csvLoader,
		csvObjects, csvBytes, csvElements,
	},
	profile.ByClass:   {csvClass, csvLoader, csvObjects, csvBytes, csvElements},
	profile.ByElement: {csvElement, csvObjects, csvBytes, csvElements},
	profile.ByMethod:  {csvSiteClass, csvMethod, csvDescriptor, csvLoader, csvObjects, csvBytes},
	profile.ByContext: {
		csvClass, csvSiteClass, csvMethod, csvDescriptor, csvLine, csvBCI, csvLoader, csvStack,
		csvObjects, csvBytes, csvElements,
	},
	profile.ByThread:      {csvThread, csvThreads, csvObjects, csvBytes},
	profile.ByTransaction: {csvName, csvObjects, csvBytes},
	profile.ByProgram: {
		csvProgram("name", func(p *jsonProgram) string { return p.Name }),
		csvProgram("pid", func(p *jsonProgram) string { return strconv.FormatInt(p.PID, 10) }),
		csvProgram("file", func(p *jsonProgram) string { return p.File }),
		csvObjects, csvBytes,
	},
	profile.ByCaller: {csvSiteClass, csvMethod, csvDescriptor, csvLine, csvLoader, csvObjects, csvBytes,
		csvSelf("self_objects", csvObjects), csvSelf("self_bytes", csvBytes)},
}

// csvBytecodes are the columns of executed bytecodes.
var csvBytecodes = []csvColumn{
	{"bytecodes", func(_ *profile.Profile, r profile.Row) string { return strconv.FormatInt(r.Amount.Bytecodes, 10) }},
	{"objects_per_1000_bytecodes", func(_ *profile.Profile, r profile.Row) string {
		return csvDensity(r.Amount.Objects, r.Amount)
	}},
	{"bytes_per_1000_bytecodes", func(_ *profile.Profile, r profile.Row) string {
		if !r.Amount.BytesKnown() {
			return ""
		}
		return csvDensity(r.Amount.Bytes, r.Amount)
	}},
}

// csvSizes are the columns of sizes.
var csvSizes = []csvColumn{
	csvSize("count", func(s *jsonSizes) *int64 { return &s.Count }),
	csvSize("measured", func(s *jsonSizes) *int64 { return &s.Measured }),
	csvSize("jvm_bytes", func(s *jsonSizes) *int64 { return s.Bytes }),
	csvSize("p50_jvm_bytes", func(s *jsonSizes) *int64 { return s.P50 }),
	csvSize("p90_jvm_bytes", func(s *jsonSizes) *int64 { return s.P90 }),
	csvSize("p99_jvm_bytes", func(s *jsonSizes) *int64 { return s.P99 }),
	csvSize("max_jvm_bytes", func(s *jsonSizes) *int64 { return s.Max }),
}

func csvSize(name string, of func(*jsonSizes) *int64) csvColumn {
	return csvColumn{name, func(_ *profile.Profile, r profile.Row) string {
		s := newJSONSizes(r.Sizes)
		if s == nil || of(s) == nil {
			return ""
		}
		return strconv.FormatInt(*of(s), 10)
	}}
}

func csvDensity(n int64, a profile.Amount) string {
	d, ok := density(n, a.Bytecodes)
	if !ok {
		return ""
	}
	return strconv.FormatFloat(d, 'f', -1, 64)
}

func csvColumnsOf(p *profile.Profile, q profile.Query) []csvColumn {
	by := q.By
	columns := csvColumns[by]
	if hasInclusive(p, q) {
		columns = slices.Concat(columns, csvInclusive)
	}
	if by == profile.ByTransaction && p.HasTransactionSizes() {
		columns = slices.Concat(columns, csvSizes)
	}
	if hasBytecodes(p, by) {
		columns = slices.Concat(columns, csvBytecodes)
	}
	return columns
}

// CSV writes a header line and the rows (RFC 4180, lines end in LF). What is
// unknown or does not apply is empty.
func (r *Report) CSV(w io.Writer) error {
	columns := csvColumnsOf(r.Profile, r.Answer.Query)
	out := csv.NewWriter(w)
	record := make([]string, len(columns))
	for i, c := range columns {
		record[i] = c.name
	}
	out.Write(record)
	for _, row := range r.Answer.Rows {
		for i, c := range columns {
			record[i] = c.cell(r.Profile, row)
		}
		out.Write(record)
	}
	out.Flush()
	return out.Error()
}
