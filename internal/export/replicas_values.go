package export

import (
	"bufio"
	"fmt"
	"io"

	"mallard/internal/replica"
)

// jsonExample is contents of a group in JSON.
type jsonExample struct {
	Objects  int64  `json:"objects"`
	Contents string `json:"contents"`
}

func jsonExamples(r replica.Row) []jsonExample {
	examples := []jsonExample{}
	for _, e := range r.Examples {
		examples = append(examples, jsonExample{e.Objects, e.Contents.String()})
	}
	return examples
}

// writeExamples writes what some objects of a row have in them, below its title:
//
//	Contents of demo.Point made at demo.Main.at(Main.java:6)
//	    1,800  Point{x=1, y=2}
func writeExamples(w io.Writer, title string, examples []replica.Example) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "\nContents of %s\n", shown(title, longestLine))
	for _, e := range examples {
		fmt.Fprintf(out, "%13s  %s\n", grouped(e.Objects), shown(e.Contents.String(), longestLine))
	}
	return out.Flush()
}
