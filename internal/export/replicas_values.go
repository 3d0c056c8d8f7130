package export

import (
	"bufio"
	"fmt"
	"io"

	"mallard/internal/replica"
)

// The JSON forms of contents, of a group and of pairs.
type (
	jsonExample struct {
		Objects  int64  `json:"objects"`
		Contents string `json:"contents"`
	}
	jsonPairExample struct {
		Pairs    int64  `json:"pairs"`
		Contents string `json:"contents"`
	}
)

// jsonExamples gives each example in a form.
func jsonExamples[T any](examples []replica.Example, form func(count int64, contents string) T) []T {
	list := []T{}
	for _, e := range examples {
		list = append(list, form(e.Count, e.Contents.String()))
	}
	return list
}

// writeExamples writes what some objects of a row have in them, below its title, and how many there are of what:
//
//	Contents of demo.Point made at demo.Main.at(Main.java:6)
//	    1,800  Point{x=1, y=2}
func writeExamples(w io.Writer, title string, examples []replica.Example) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "\nContents of %s\n", shown(title, longestLine))
	for _, e := range examples {
		fmt.Fprintf(out, "%13s  %s\n", grouped(e.Count), shown(e.Contents.String(), longestLine))
	}
	return out.Flush()
}
