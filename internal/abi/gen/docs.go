package main

import (
	"bytes"
	"fmt"
	"strings"

	"mallard/internal/abi"
)

// docs prints docs/memory.md.
func docs(b *bytes.Buffer, groups []group) error {
	b.WriteString("# What recorder, agent and runtime classes share\n\n")
	b.WriteString(wrap("`go run ./internal/abi/gen docs` writes this file from package `internal/abi`. " +
		"ARCHITECTURE.md has a picture of it."))
	for _, g := range groups {
		fmt.Fprintf(b, "\n## %s\n\n%s\n", g.title, wrap(g.doc))
		unit := ""
		if g.unit != "" {
			unit = ", " + g.unit
		}
		fmt.Fprintf(b, "| name | number%s | |\n|---|---|---|\n", unit)
		for _, c := range g.constants {
			fmt.Fprintf(b, "| %s | %s | %s |\n", c.name, number(c), c.doc)
		}
	}
	b.WriteString("\n## Messages\n\n")
	b.WriteString(wrap("Integers are little-endian. Bytes and text have their length before them, as u32. A list has "+
		"its number of records before it, a rest goes on to the end. `=` stands before the answer.") + "\n")
	for i := range abi.Messages {
		m := &abi.Messages[i]
		channel := map[abi.Channel]string{abi.Ring: ", in the message ring",
			abi.Control: ", on the control channel"}[m.Channel]
		if m.Request {
			channel += ", answered"
		}
		fmt.Fprintf(b, "### %d %s%s\n\n%s\n", m.Type, m.Name, channel, wrap(m.Doc))
		fields(b, "", &m.Record)
		if m.Answer != nil {
			fields(b, "= ", m.Answer)
		}
		if len(m.Fields) > 0 || m.Answer != nil {
			b.WriteString("\n")
		}
	}
	return nil
}

// kinds are the names of kinds of fields.
var kinds = map[abi.Kind]string{abi.U32: "u32", abi.U64: "u64", abi.Bytes: "bytes", abi.Text: "text", abi.Tail: "bytes",
	abi.List: "list", abi.Packed: "packed", abi.Rest: "rest"}

// fields prints the fields of a record, those of records in it below them.
func fields(b *bytes.Buffer, before string, r *abi.Record) {
	for _, f := range r.Fields {
		doc := f.Doc
		if doc != "" {
			doc = ": " + doc
		}
		name := words(f.Name)
		fmt.Fprintf(b, "    %s%-6s%s%s\n", before, kinds[f.Kind], strings.ToLower(strings.Join(name, " ")), doc)
		if f.Of != nil {
			fields(b, strings.Repeat(" ", len(before))+"  ", f.Of)
		}
		before = strings.Repeat(" ", len(before))
	}
}

func number(c shared) string {
	if c.bits() >= 1<<20 {
		return fmt.Sprintf("%#x", c.bits())
	}
	return fmt.Sprint(c.bits())
}

// wrap breaks text into lines, paragraphs apart.
func wrap(text string) string {
	const width = 117 // with what makes a line a comment
	var b strings.Builder
	for _, paragraph := range strings.Split(strings.TrimSpace(text), "\n\n") {
		at := 0
		for _, word := range strings.Fields(paragraph) {
			switch {
			case at > 0 && at+1+len(word) > width:
				b.WriteString("\n")
				at = 0
			case at > 0:
				b.WriteString(" ")
				at++
			}
			b.WriteString(word)
			at += len(word)
		}
		b.WriteString("\n")
		if at > 0 {
			b.WriteString("\n")
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}
