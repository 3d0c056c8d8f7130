package cli

import (
	"bufio"
	"cmp"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"mallard/internal/trace"
)

func (p *program) dumpCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "dump FILE",
		Short: "Print the records of a recording as text",
		Long: `Print the records of a recording in file order, one line each, with indented lines for
lists. docs/format.md describes them. Fields that are zero are omitted. Damaged parts
are skipped and reported.

--from and --to select the span that "mallard report" would select: what was recorded
between two snapshots, and all definitions before it.`,
		Example: `  mallard dump app.mallard
  mallard dump app.mallard --kind ClassDef,Retired
  mallard dump app.mallard --kind Snapshot --from -60s`,
		Args:        oneRecording,
		Annotations: firstIsRecording,
	}
	kinds := cmd.Flags().StringSlice("kind", nil, "only records of these `KINDS`, e.g. Mark,Loss")
	completeFlag(cmd, "kind", trace.KindNames())
	span := addSpan(cmd, "recorded", snapshotBounds)
	p.bound.addFlag(cmd)
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		wanted := map[string]bool{}
		for _, kind := range *kinds {
			name := kindNamed(kind)
			if name == "" {
				return usagef("--kind: %q is not one of %s", kind, strings.Join(trace.KindNames(), ", "))
			}
			wanted[name] = true
		}
		if err := span.check(); err != nil {
			return err
		}
		if span.given() {
			return p.dumpSpan(args[0], span, wanted)
		}
		return p.dump(args[0], wanted)
	}
	return cmd
}

// kindNamed is the name of a kind, given in any case; empty if there is none.
func kindNamed(word string) string {
	for _, name := range trace.KindNames() {
		if strings.EqualFold(name, word) {
			return name
		}
	}
	return ""
}

// records gives the records of a recording, one by one, and at the end what is damaged.
type records interface {
	Next() (trace.Record, error)
	Damage() []*trace.Damage
}

// dump prints the records of the wanted kinds, of all if there are none.
func (p *program) dump(name string, wanted map[string]bool) error {
	file, _, err := p.openFile(name)
	if err != nil {
		return err
	}
	defer file.Close()
	reader, err := trace.NewReader(bufio.NewReaderSize(file, 1<<20))
	if err != nil {
		return fileError(name, err)
	}
	return p.printRecords(name, reader, wanted)
}

// dumpSpan is dump of a span.
func (p *program) dumpSpan(name string, flags *spanFlags, wanted map[string]bool) error {
	var info os.FileInfo
	var printed error
	err := p.withFile(name, func(file *trace.File) error {
		span, err := flags.in(file)
		if err != nil {
			return err
		}
		reader, err := file.Between(int64(span.From), int64(span.To))
		if err != nil {
			return err
		}
		printed = p.printRecords(name, reader, wanted)
		return nil
	}, &info)
	return cmp.Or(err, printed)
}

// printRecords prints the wanted records.
func (p *program) printRecords(name string, reader records, wanted map[string]bool) error {
	var failed error // to read
	err := p.print(func(w io.Writer) error {
		out := bufio.NewWriter(w)
		failed = eachRecord(reader, wanted, func(text []byte) error {
			_, err := out.Write(text)
			return err
		})
		return out.Flush()
	})
	for _, damage := range reader.Damage() {
		p.say("%s", strings.TrimPrefix(damage.Error(), "trace: "))
	}
	if failed != nil && err == nil {
		err = fileError(name, failed)
	}
	return err
}

// eachRecord yields the text form of the wanted records, as long as it is taken. The error is the reader's.
func eachRecord(reader records, wanted map[string]bool, yield func(text []byte) error) error {
	var text []byte
	for {
		record, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if len(wanted) > 0 && !wanted[trace.KindOf(record).String()] {
			continue
		}
		if text = trace.AppendText(text[:0], record); yield(text) != nil {
			return nil // the writer knows
		}
	}
}
