package export

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"testing"

	goparquet "github.com/fraugster/parquet-go"
	"github.com/fraugster/parquet-go/parquet"
	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"mallard/internal/profile"
	"mallard/internal/profile/profiletest"
)

// parquetFrameRead is a frame as another reader of Parquet has it.
type parquetFrameRead struct {
	Class, Method, Descriptor, Source string
	Line, BCI                         *int32
}

type parquetRowRead struct {
	Program, File, JVM, GC, Thread, Transaction, Class, Loader string
	PID                                                        int64
	Labels                                                     []struct{ Key, Value string }
	Site                                                       parquetFrameRead
	Stack                                                      []parquetFrameRead
	Objects, Started, Since, Until                             int64
	Bytes, Elements, Bytecodes                                 *int64
}

// readParquet reads a file by a library that shares no code with the one that wrote it.
func readParquet(t *testing.T, data []byte) (rows []parquetRowRead, metadata map[string]string) {
	t.Helper()
	in, err := goparquet.NewFileReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for {
		values, err := in.NextRow()
		if err == io.EOF {
			return rows, in.MetaData()
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(plain(values))
		if err != nil {
			t.Fatal(err)
		}
		var row parquetRowRead
		if err := json.Unmarshal(text, &row); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		rows = append(rows, row)
	}
}

// plain has texts for bytes, and lists and maps without what Parquet puts around their members.
func plain(value any) any {
	switch v := value.(type) {
	case []byte:
		return string(v)
	case map[string]any:
		if list, is := v["list"]; is {
			return plain(list)
		}
		if pairs, is := v["key_value"]; is {
			return plain(pairs)
		}
		if element, is := v["element"]; is {
			return plain(element)
		}
		members := map[string]any{}
		for name, member := range v {
			members[name] = plain(member)
		}
		return members
	case []map[string]any:
		list := []any{}
		for _, member := range v {
			list = append(list, plain(member))
		}
		return list
	}
	return value
}

// zstdBlocks decompresses what that library does not by itself.
type zstdBlocks struct{ *zstd.Decoder }

func (zstdBlocks) CompressBlock([]byte) ([]byte, error) { return nil, errors.New("it only reads") }

func (z zstdBlocks) DecompressBlock(block []byte) ([]byte, error) { return z.DecodeAll(block, nil) }

// TestParquet: another reader of Parquet finds all samples, with all that is known of them.
func TestParquet(t *testing.T) {
	decoder, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer decoder.Close()
	goparquet.RegisterBlockCompressor(parquet.CompressionCodec_ZSTD, zstdBlocks{decoder})
	labels := map[string]string{"host": "web1", "zone": "a"}
	for name, text := range map[string]string{"demo": profiletest.Demo, "contexts": profiletest.Contexts,
		"transactions": profiletest.Transactions} {
		t.Run(name, func(t *testing.T) {
			p := fold(t, text)
			var out bytes.Buffer
			if err := Parquet(&out, "/tmp/x/a.mallard", p, profile.Filter{}, labels); err != nil {
				t.Fatal(err)
			}
			rows, metadata := readParquet(t, out.Bytes())
			if metadata["mallard.schema"] != ParquetSchema || metadata["mallard.losses"] == "" ||
				metadata["mallard.totals"] != fmt.Sprintf(`{"objects":%d,"bytes":%d}`, p.Total.Objects, p.Total.Bytes) {
				t.Errorf("%v", metadata)
			}
			program, _ := profile.MainProgram(p.Process.Command)
			var started, until int64
			if p.Process.Started != 0 {
				started, until = p.Started.UnixMicro(), p.Started.Add(p.Duration).UnixMicro()
			}
			var total profile.Amount
			in, i := p.Transactions(), 0
			for s := range p.Samples(profile.Filter{}) {
				if s.Site.Executed {
					continue
				}
				got := rows[i]
				i++
				total.Objects += got.Objects
				stack := p.Stack(s.Site, s.Context)
				if got.Thread != s.Thread.Title() || got.Class != s.Site.Type || got.Loader != s.Site.Loader ||
					got.Transaction != p.TransactionName(in[s.Context]) || got.Objects != s.Amount.Objects ||
					(got.Bytes != nil) != s.Amount.BytesKnown() || (got.Elements != nil) != s.Site.Array ||
					len(got.Stack) != len(stack) || len(got.Labels) != 2 || got.Program != program ||
					got.Started != started || got.Since != started || got.Until != until ||
					got.File != "a.mallard" || got.PID != p.Process.PID || got.JVM != p.Process.JVMVersion {
					t.Fatalf("%+v\nof %+v", got, s)
				}
				if got.Bytes != nil {
					total.Bytes += *got.Bytes
				}
				if got.Elements != nil && *got.Elements != s.Amount.Elements {
					t.Errorf("%d elements, not %d", *got.Elements, s.Amount.Elements)
				}
				for k, f := range stack {
					of := parquetFrameRead{f.Class, f.Name, f.Descriptor, f.Source, known(f.Line), known(f.BCI)}
					if diff := cmp.Diff(of, got.Stack[k]); diff != "" {
						t.Fatalf("frame %d, -want +got:\n%s", k, diff)
					}
				}
				if diff := cmp.Diff(got.Stack[0], got.Site); diff != "" {
					t.Errorf("the site is not the innermost frame:\n%s", diff)
				}
			}
			if i != len(rows) || total.Objects != p.Total.Objects || total.Bytes != p.Total.Bytes {
				t.Errorf("%d rows of %d, %+v of %+v", len(rows), i, total, p.Total)
			}
		})
	}
}
