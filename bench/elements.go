package main

import (
	"encoding/json"
	"fmt"
	"os/exec"
)

// Elements is what a workload allocated of arrays that hold one type: the figures that the JP paper asks for (section
// 3).
type Elements struct {
	Element  string `json:"element"` // a basic type, or reference
	Arrays   int64  `json:"objects"`
	Elements int64  `json:"elements"`
	Bytes    int64  `json:"bytes"`
}

// elementTypes are the columns of the table.
var elementTypes = []string{"byte", "char", "short", "int", "long", "boolean", "float", "double", "reference"}

// elements asks a recording.
func (s *session) elements(recording string) ([]Elements, error) {
	output, err := exec.Command(s.mallard, "report", recording, "--by", "element", "--format", "json").Output()
	if err != nil {
		return nil, fmt.Errorf("mallard report --by element: %w", err)
	}
	var report struct{ Rows []Elements }
	err = json.Unmarshal(output, &report)
	return report.Rows, err
}

// thousands prints large numbers in units of a thousand.
func thousands(n int64) string {
	if n < 10_000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d k", n/1000)
}

func elementsTable(jdk string, rows []Attribution) *table {
	header := append([]string{"program"}, elementTypes...)
	t := newTable("attribution-elements-"+jdk,
		fmt.Sprintf("Arrays by element type, number × mean length, and their bytes, JDK %s", jdk), append(header,
			"of all bytes")...)
	for _, r := range rows {
		cells, bytes := []string{r.Workload}, int64(0)
		for _, element := range elementTypes {
			cell := ""
			for _, e := range r.Arrays {
				if e.Element == element {
					cell = fmt.Sprintf("%s × %.1f", thousands(e.Arrays), float64(e.Elements)/float64(e.Arrays))
					bytes += e.Bytes
				}
			}
			cells = append(cells, cell)
		}
		t.row(append(cells, number("%.0f %%", 100*float64(bytes)/float64(r.Counted)))...)
	}
	return t
}
