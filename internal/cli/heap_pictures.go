package cli

import (
	"io"
	"slices"

	"github.com/spf13/cobra"

	"mallard/internal/export"
	"mallard/internal/heap"
)

// heapForm is a form of answers about the heap: of any of them, or a picture.
type heapForm struct {
	report  func(*export.HeapReport, io.Writer) error
	picture heapPicture
}

// heapPicture draws the heap as it was at a moment, an index in Pauses.
type heapPicture func(*heapRecording, int, heap.Query, io.Writer) error

// heapForms are the words of --format.
var heapForms = []option[heapForm]{
	{"text", heapForm{report: (*export.HeapReport).Text}},
	{"json", heapForm{report: (*export.HeapReport).JSON}},
	{"csv", heapForm{report: (*export.HeapReport).CSV}},
	{"pprof", heapForm{picture: heapPprof}},
	{"html", heapForm{picture: heapPage}},
}

// checkPicture refuses what a picture in some form cannot answer.
func checkPicture(cmd *cobra.Command, form string, question *heapQuestion, by []heap.By) error {
	switch {
	case question != nil:
		return usagef("--%s cannot be combined with --format %s", question.flag, form)
	case cmd.Flags().Changed("diff") && form == "html":
		return usagef("--diff cannot be combined with --format html, where spans are chosen on the page")
	case cmd.Flags().Changed("diff"):
		return usagef("--diff cannot be combined with --format pprof; go tool pprof -diff_base compares two files")
	}
	for _, b := range by {
		if form == "html" && b == heap.ByThread {
			return usagef("--by %s cannot be combined with --format html", b)
		}
		if form == "html" && !b.OfClass() {
			return usagef("--by %s cannot be combined with --format html, whose rows are classes", b)
		}
	}
	return nil
}

// draw gives what writes a picture.
func (r *heapRecording) draw(picture heapPicture, at moment, q heap.Query) (writer, error) {
	i, err := at.in(r.history, clockOf(r.profile))
	if err != nil {
		return nil, err
	}
	return func(w io.Writer) error { return picture(r, i, q, w) }, nil
}

func heapPprof(r *heapRecording, at int, q heap.Query, w io.Writer) error {
	if !slices.ContainsFunc(q.By, heap.By.OfClass) {
		q.By = append(slices.Clip(q.By), heap.ByClass)
	}
	return export.HeapPprof(w, r.name, r.profile, r.history, r.history.Held(at, q))
}

func heapPage(r *heapRecording, at int, q heap.Query, w io.Writer) error {
	return export.HeapPage(w, r.name, r.profile, r.history, at, q)
}
