package main

import (
	"fmt"
	"strings"
)

// Tables are those of docs/reliability.md, by the names that stand around them there.
func Tables() map[string]string {
	return map[string]string{
		"deaths":     table(deaths, true),
		"options":    table(options, false),
		"limits":     table(limits, true),
		"elsewhere":  others(),
		"observings": ways(),
	}
}

func table(endings []Ending, recordings bool) string {
	var b strings.Builder
	if !recordings { // one promise for all
		for i, e := range endings {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(e.Does)
		}
		return wrapped(b.String() + "; each with " + strings.Join(collectors, ", ") + ".")
	}
	b.WriteString("| the program | the recording has |\n| --- | --- |\n")
	for _, e := range endings {
		fmt.Fprintf(&b, "| %s | %s |\n", strings.ReplaceAll(e.Does, "|", "\\|"), promised[e.Promise])
	}
	return b.String()
}

func others() string {
	var b strings.Builder
	b.WriteString("| what | promise | test |\n| --- | --- | --- |\n")
	for _, e := range elsewhere {
		fmt.Fprintf(&b, "| %s | %s | `%s` |\n", e.Does, e.Promise, strings.ReplaceAll(e.Test, ", ", "`, `"))
	}
	return b.String()
}

// ways names the ways to record.
func ways() string {
	var names []string
	for _, o := range observings {
		names = append(names, "`"+strings.Join(o.Flags, " ")+"`"+map[bool]string{true: " by `-agentpath`"}[o.Alone])
	}
	return wrapped(strings.Join(names, ", ") + ".")
}

// columns are how long a line of the documents may be.
const columns = 120

// wrapped breaks a text into lines.
func wrapped(text string) string {
	var b strings.Builder
	length := 0
	for word := range strings.FieldsSeq(text) {
		switch {
		case length == 0:
		case length+1+len(word) > columns:
			b.WriteByte('\n')
			length = 0
		default:
			b.WriteByte(' ')
			length++
		}
		b.WriteString(word)
		length += len(word)
	}
	return b.String() + "\n"
}

// Filled puts the tables into a document, between lines <!-- NAME --> and <!-- end -->.
func Filled(document string) (string, error) {
	for name, text := range Tables() {
		begin := "<!-- " + name + " -->\n"
		before, rest, found := strings.Cut(document, begin)
		_, after, ended := strings.Cut(rest, "<!-- end -->")
		if !found || !ended {
			return "", fmt.Errorf("no table %s", name)
		}
		document = before + begin + "\n" + text + "\n<!-- end -->" + after
	}
	return document, nil
}
