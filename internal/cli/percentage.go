package cli

import (
	"errors"
	"strconv"
	"strings"
)

// exportShare is what is kept apart in exports unless told otherwise, percent.
const exportShare = 0.1

// percentage is a flag's value: 5, 0.1%.
type percentage float64

func (p *percentage) String() string { return strconv.FormatFloat(float64(*p), 'g', -1, 64) }
func (p *percentage) Type() string   { return "PERCENT" }

func (p *percentage) Set(text string) error {
	n, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(text, "%")), 64)
	if err != nil || !(n >= 0 && n <= 100) {
		return errors.New("not a number of percent from 0 to 100")
	}
	*p = percentage(n)
	return nil
}
