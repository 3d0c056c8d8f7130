package view

import "slices"

// Most of what requests may ask for.
const (
	mostOffset = 1 << 30
	mostLine   = 1 << 24
)

// question is what a request asks for: its parameters, and how it is answered.
type question struct {
	names  []string
	answer func(*Serving, *Recording, *parameters) (any, error)
}

// questions are those of the page, by the last part of their address.
var questions = map[string]question{
	"tree":     {with("tree", "method", "path", "lines", "folded", "unit", "width"), tree},
	"rows":     {with("by", "sort", "search", "offset", "count", "unit"), rows},
	"timeline": {queryNames, timeline},
	"found":    {with("search"), found},
	"source":   {with("method", "file", "line"), source},
}

func with(names ...string) []string { return slices.Concat(queryNames, names) }

func tree(_ *Serving, r *Recording, p *parameters) (any, error) {
	q := PieceQuery{Query: p.query(), Tree: Tree(p.text("tree")), Method: p.text("method"), Path: p.text("path"),
		Options: Options{Lines: p.is("lines"), Folded: p.is("folded"), Bytes: p.bytes()},
		Width:   p.number("width", mostWidth)}
	return ask(p, func() (any, error) { return r.Piece(q) })
}

func rows(_ *Serving, r *Recording, p *parameters) (any, error) {
	q := RowsQuery{Query: p.query(), By: p.text("by"), Sort: p.text("sort"), Bytes: p.bytes(),
		Search: p.text("search"), From: p.number("offset", mostOffset), Count: p.number("count", mostRows)}
	return ask(p, func() (any, error) { return r.Rows(q) })
}

func timeline(_ *Serving, r *Recording, p *parameters) (any, error) {
	q := p.query()
	return ask(p, func() (any, error) { return r.Timeline(q), nil })
}

func found(_ *Serving, r *Recording, p *parameters) (any, error) {
	q, text := p.query(), p.text("search")
	return ask(p, func() (any, error) { return r.Found(q, text) })
}

func source(s *Serving, r *Recording, p *parameters) (any, error) {
	q, file, line := p.query(), p.text("file"), int32(p.number("line", mostLine))
	if key := p.text("method"); key != "" {
		file = r.File(key)
	}
	return ask(p, func() (any, error) { return r.Source(q, file, line, s.Find) })
}

// ask asks a question unless there is a mistake in it.
func ask(p *parameters, question func() (any, error)) (any, error) {
	if p.err != nil {
		return nil, p.err
	}
	return question()
}

// bytes reads the unit of sizes.
func (p *parameters) bytes() bool {
	unit := p.text("unit")
	if unit != "" && unit != "objects" && unit != "bytes" {
		p.err = errParameter
	}
	return unit == "bytes"
}
