// Package profiletest makes recordings for tests from their text form.
package profiletest

import (
	"bytes"
	_ "embed"
	"fmt"
	"io"
	"strings"
	"testing"

	"mallard/internal/trace"
)

// Demo is the text form of a recording that has a bit of everything.
//
//	Thread ID=1 Name="main" JavaID=1
//	Snapshot Nanos=1000000000 Thread=1 Values=[0:400 4:100]
//
//go:embed demo.trace
var Demo string

// Contexts is the text form of a recording with contexts: recursion, two threads
// with the same chain, lambda forms, native methods, and one method that counts
// in no context.
//
//go:embed contexts.trace
var Contexts string

// Transactions is the text form of a recording with named transactions: run()
// allocates in none, in "order", in "item" inside that, and in "item" alone; helper is
// called in order and outside.
//
//go:embed transactions.trace
var Transactions string

// Encode makes a recording from its text form, each line that says
//
//	# flush
//
// ending a block.
func Encode(text string) ([]byte, error) {
	var out bytes.Buffer
	writer := trace.NewWriter(&out)
	for block := range strings.SplitSeq(text, "\n# flush\n") {
		if err := encodeBlock(writer, block); err != nil {
			return nil, fmt.Errorf("profiletest: %w", err)
		}
	}
	return out.Bytes(), nil
}

// MustEncode is Encode for tests whose texts are right.
func MustEncode(tb testing.TB, text string) []byte {
	tb.Helper()
	recording, err := Encode(text)
	if err != nil {
		tb.Fatal(err)
	}
	return recording
}

func encodeBlock(writer *trace.Writer, text string) error {
	reader := trace.NewTextReader(strings.NewReader(text))
	for {
		record, err := reader.Next()
		if err == io.EOF {
			return writer.Flush()
		}
		if err != nil {
			return err
		}
		if err := writer.Write(record); err != nil {
			return err
		}
	}
}
