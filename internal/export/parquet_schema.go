package export

import "time"

// ParquetSchema names the columns of [parquetRow], in the file's metadata; it changes when a column changes its
// meaning, not when one is added.
const ParquetSchema = "mallard.parquet/1"

// parquetRow is what a thread allocated at a site, in a context where there are such. Null is what is unknown or does
// not apply. docs/fleet.md says what columns mean.
type parquetRow struct {
	Program string            `parquet:"program,dict"`
	PID     int64             `parquet:"pid"`
	File    string            `parquet:"file,dict"`
	JVM     string            `parquet:"jvm,dict"`
	GC      string            `parquet:"gc,dict"`
	Labels  map[string]string `parquet:"labels"`
	Started *time.Time        `parquet:"started,optional,timestamp(microsecond)"`
	Since   *time.Time        `parquet:"since,optional,timestamp(microsecond)"`
	Until   *time.Time        `parquet:"until,optional,timestamp(microsecond)"`

	Thread      string         `parquet:"thread,dict"`
	Transaction *string        `parquet:"transaction,optional,dict"`
	Class       *string        `parquet:"class,optional,dict"`
	Site        parquetFrame   `parquet:"site"`
	Loader      *string        `parquet:"loader,optional,dict"`
	Stack       []parquetFrame `parquet:"stack,list"`

	Objects   int64  `parquet:"objects"`
	Bytes     *int64 `parquet:"bytes,optional"`
	Elements  *int64 `parquet:"elements,optional"`
	Bytecodes *int64 `parquet:"bytecodes,optional"`
}

type parquetFrame struct {
	Class      *string `parquet:"class,optional,dict"`
	Method     string  `parquet:"method,dict"`
	Descriptor string  `parquet:"descriptor,dict"`
	Source     *string `parquet:"source,optional,dict"`
	Line       *int32  `parquet:"line,optional"`
	BCI        *int32  `parquet:"bci,optional"`
}
