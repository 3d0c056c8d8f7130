package view

import (
	"errors"
	"math"
	"net/url"
	"strconv"
	"time"

	"mallard/internal/profile"
)

// mostParameter bounds what a parameter of a request says, bytes.
const mostParameter = 64 << 10

// errParameter is the error of a request that asks for nothing that there is.
var errParameter = errors.New("no such parameter, or value")

// parameters are those of a request. The first mistake is kept.
type parameters struct {
	values url.Values
	err    error
}

// newParameters reads them; only those with these names may be there, each once.
func newParameters(query string, names ...string) *parameters {
	values, err := url.ParseQuery(query)
	p := &parameters{values, err}
	known := map[string]bool{}
	for _, name := range names {
		known[name] = true
	}
	for name, list := range values {
		if !known[name] || len(list) != 1 || len(list[0]) > mostParameter {
			p.err = errParameter
		}
	}
	return p
}

func (p *parameters) text(name string) string { return p.values.Get(name) }

// is reads 1, 0 or nothing.
func (p *parameters) is(name string) bool {
	value := p.values.Get(name)
	if value != "" && value != "0" && value != "1" {
		p.err = errParameter
	}
	return value == "1"
}

// number reads one from 0 to a bound, or nothing, which is 0.
func (p *parameters) number(name string, most int) int {
	if !p.values.Has(name) {
		return 0
	}
	n, err := strconv.Atoi(p.values.Get(name))
	if err != nil || n < 0 || n > most {
		p.err = errParameter
		return 0
	}
	return n
}

// seconds reads a time since the start; 0 for nothing.
func (p *parameters) seconds(name string) time.Duration {
	if !p.values.Has(name) {
		return 0
	}
	seconds, err := strconv.ParseFloat(p.values.Get(name), 64)
	if err != nil || !(seconds >= 0 && seconds < math.MaxInt32) {
		p.err = errParameter
		return 0
	}
	return time.Duration(math.Round(seconds * float64(time.Second)))
}

// queryNames are the parameters that say what is selected.
var queryNames = []string{"class", "in", "under", "thread", "transaction", "from", "to"}

func (p *parameters) query() Query {
	return Query{
		Filter: profile.Filter{Class: p.text("class"), Method: p.text("in"), Under: p.text("under"),
			Thread: p.text("thread"), Transaction: p.text("transaction")},
		Span: profile.Span{From: p.seconds("from"), To: p.seconds("to")},
	}
}
