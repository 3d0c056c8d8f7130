package export

import (
	"bufio"
	"cmp"
	"embed"
	"html"
	"io"
	"path"
	"strings"

	"mallard/internal/profile"
)

// pageFiles are pages, their style and their program.
//
//go:embed page
var pageFiles embed.FS

// page is a page with a tree that can be zoomed and searched. It stands for itself: a browser needs nothing more. All
// text but the title's is HTML.
type page struct {
	title    string
	summary  string
	facts    string   // a list's items
	above    string   // the tree's controls
	controls string   // of the page's own
	keys     string   // that the page has besides
	panels   string   // beside the tree
	policy   string   // what the page may load; "" for nothing
	styles   []string // names of files
	scripts  []string // the same, in the order in which they are joined
}

// write writes the page with its data, which are JSON.
func (p *page) write(w io.Writer, data func(*bufio.Writer) error) error {
	out := bufio.NewWriterSize(w, 64<<10)
	// A template would do, and make the program a half larger: with one the linker keeps every method that reflection
	// may call.
	before, after, _ := strings.Cut(pagePart("page.html"), "{{data}}") // may be large
	fill := strings.NewReplacer(
		"{{policy}}", cmp.Or(p.policy, "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'"),
		"{{title}}", html.EscapeString(p.title),
		"{{summary}}", p.summary,
		"{{facts}}", p.facts,
		"{{above}}", p.above,
		"{{controls}}", p.controls,
		"{{keys}}", p.keys,
		"{{panels}}", p.panels,
		"{{style}}", pageParts(p.styles),
		"{{script}}", pageParts(p.scripts))
	fill.WriteString(out, before) // errors come up again in Flush
	if err := data(out); err != nil {
		return err
	}
	fill.WriteString(out, after)
	return out.Flush()
}

func pagePart(name string) string {
	text, err := pageFiles.ReadFile("page/" + name)
	if err != nil {
		panic(err) // it is embedded
	}
	return string(text)
}

func pageParts(names []string) string {
	var b strings.Builder
	for _, name := range names {
		b.WriteString(pagePart(name))
	}
	return b.String()
}

// pageFacts makes the items of a list.
func pageFacts(facts []string) string {
	var b strings.Builder
	for _, fact := range facts {
		b.WriteString("<li>" + html.EscapeString(fact) + "</li>")
	}
	return b.String()
}

// titleLength is how much of a command line a page's title has room for.
const titleLength = 80

// pageTitle names the program.
func pageTitle(file string, p *profile.Profile) string {
	if p.Process == nil || len(p.Process.Command) < 2 {
		return file
	}
	command := commandLine(append([]string{path.Base(p.Process.Command[0])}, p.Process.Command[1:]...))
	if runes := []rune(command); len(runes) > titleLength {
		command = string(runes[:titleLength]) + "…"
	}
	return command
}
