package export

import (
	"bufio"
	"embed"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"path"
	"strconv"
	"strings"

	"mallard/internal/profile"
)

// flamegraphFiles are the page, its style and its program, in the order in which
// its parts are joined.
//
//go:embed flamegraph
var flamegraphFiles embed.FS

// Flamegraph writes a page with a flame graph of what the filter selects, and with the plots of event tables.
// It stands for itself: a browser needs nothing more.
func Flamegraph(w io.Writer, file string, p *profile.Profile, filter profile.Filter,
	tables []*profile.EventTable) error {
	tree := p.Tree(profile.TreeQuery{Filter: filter})
	out := bufio.NewWriterSize(w, 64<<10)
	var facts strings.Builder
	for _, fact := range flamegraphFacts(file, p, filter) {
		facts.WriteString("<li>" + html.EscapeString(fact) + "</li>")
	}
	// A template would do, and make the program a half larger: with one the linker keeps every method that reflection
	// may call.
	before, after, _ := strings.Cut(flamegraphPart("page.html"), "{{data}}") // may be large
	fill := strings.NewReplacer(
		"{{title}}", html.EscapeString(flamegraphTitle(file, p)),
		"{{summary}}", html.EscapeString(amount(tree.Total)),
		"{{facts}}", facts.String(),
		"{{plots}}", plots(tables, p.Duration),
		"{{style}}", flamegraphPart("style.css"),
		"{{script}}", flamegraphPart("data.js")+flamegraphPart("view.js")+flamegraphPart("controls.js"))
	fill.WriteString(out, before) // errors come up again in Flush
	if err := writeFlamegraphData(out, tree); err != nil {
		return err
	}
	fill.WriteString(out, after)
	return out.Flush()
}

func flamegraphPart(name string) string {
	text, err := flamegraphFiles.ReadFile("flamegraph/" + name)
	if err != nil {
		panic(err) // it is embedded
	}
	return string(text)
}

// titleLength is how much of a command line a page's title has room for.
const titleLength = 80

// flamegraphTitle names the program.
func flamegraphTitle(file string, p *profile.Profile) string {
	if p.Process == nil || len(p.Process.Command) < 2 {
		return file
	}
	command := commandLine(append([]string{path.Base(p.Process.Command[0])}, p.Process.Command[1:]...))
	if runes := []rune(command); len(runes) > titleLength {
		command = string(runes[:titleLength]) + "…"
	}
	return command
}

// flamegraphFacts says what the numbers are of.
func flamegraphFacts(file string, p *profile.Profile, filter profile.Filter) []string {
	facts := []string{"Recording " + file, "Total " + amount(p.Total)}
	if r := p.Reconciliation; r != nil {
		facts = append(facts, "Besides "+unattributedText(r))
	}
	if !filter.IsZero() {
		facts = append(facts, "Filter "+filterText(filter))
	}
	if !p.Tracked {
		facts = append(facts, "Recorded without contexts: who called is unknown")
	}
	for _, line := range lossLines(p) {
		facts = append(facts, "Losses "+line)
	}
	return facts
}

// writeFlamegraphData writes the tree as data.js reads it: the names, and the
// nodes as numbers in preorder.
func writeFlamegraphData(out *bufio.Writer, tree *profile.Tree) error {
	var names []string
	numbers := map[string]int64{}
	number := func(name string) int64 {
		n, known := numbers[name]
		if !known {
			n = int64(len(names))
			numbers[name] = n
			names = append(names, name)
		}
		return n
	}
	fmt.Fprintf(out, `{"count":%d,"nodes":[`, len(tree.Nodes))
	depths := make([]int64, len(tree.Nodes))
	text := make([]byte, 0, 64)
	for i := range tree.Nodes {
		n := &tree.Nodes[i]
		text = text[:0]
		up := int64(0)
		if n.Parent >= 0 {
			depths[i] = depths[n.Parent] + 1
		}
		if i > 0 {
			text = append(text, ',')
			up = depths[i-1] + 1 - depths[i]
		}
		text = append(strconv.AppendInt(text, up, 10), ',')
		if n.Kind == profile.TypeNode {
			text = append(strconv.AppendInt(text, number(tree.Title(n))*2+1, 10), ',')
			text = append(strconv.AppendInt(text, n.Amount.Objects, 10), ',')
			text = strconv.AppendInt(text, n.Amount.Bytes, 10)
		} else {
			text = append(strconv.AppendInt(text, number(tree.Title(n))*2, 10), ',')
			text = strconv.AppendInt(text, n.Calls, 10)
		}
		out.Write(text)
	}
	list, err := json.Marshal(names)
	if err != nil {
		return err
	}
	out.WriteString(`],"names":`)
	out.Write(list) // with < as \u003c, so that no name ends the script
	out.WriteString("}")
	return nil
}
