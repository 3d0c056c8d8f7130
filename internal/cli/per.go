package cli

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

// Units that recordings know.
const (
	perSecond      = "second"
	perTransaction = "transaction"
)

// perFlag is the value of --per: a unit, or numbers of it for both sides.
type perFlag struct {
	unit    string // as reports name it; empty: none
	numbers [2]float64
	text    string
}

// String, Type and Set make it the value of a flag.

func (p *perFlag) String() string { return p.text }
func (p *perFlag) Type() string   { return "UNIT" }

func (p *perFlag) Set(text string) error {
	switch text {
	case perSecond, perTransaction:
		*p = perFlag{unit: text, text: text}
		return nil
	case "request":
		*p = perFlag{unit: perTransaction, text: text}
		return nil
	}
	numbers := strings.Split(text, ",")
	if len(numbers) > 2 {
		return errPer
	}
	set := perFlag{unit: text, text: text}
	for i := range set.numbers {
		n, err := strconv.ParseFloat(numbers[i%len(numbers)], 64)
		if err != nil || n <= 0 || math.IsInf(n, 0) || math.IsNaN(n) {
			return errPer
		}
		set.numbers[i] = n
	}
	if len(numbers) == 2 {
		set.unit = "unit"
	}
	*p = set
	return nil
}

var errPer = errors.New("not second, transaction, request, or one number above 0, or two with a comma")
