package export

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// grouped prints n with a comma between thousands: 1,234,567.
func grouped(n int64) string {
	digits := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	var b strings.Builder
	b.WriteString(sign)
	for i := 0; i < len(digits); i++ {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteByte(digits[i])
	}
	return b.String()
}

// exactBytes prints n exactly, and in human units beside it from a KiB on.
func exactBytes(n int64) string {
	exact := grouped(n) + " " + plural(n, "byte")
	if n < 1024 {
		return exact
	}
	return exact + " (" + roundBytes(float64(n)) + ")"
}

// roundBytes prints bytes in human units.
func roundBytes(value float64) string {
	unit := 0
	for value >= 1024 && unit < len(binaryUnits)-1 {
		value /= 1024
		unit++
	}
	if unit == 0 {
		return fmt.Sprintf("%.0f B", value)
	}
	return fmt.Sprintf("%.*f %s", decimals(value), value, binaryUnits[unit])
}

var binaryUnits = []string{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}

// decimals keeps three significant digits.
func decimals(value float64) int {
	switch {
	case value < 10:
		return 2
	case value < 100:
		return 1
	}
	return 0
}

// counted prints a number with its noun: 1 object, 2,000 objects.
func counted(n int64, noun string) string { return grouped(n) + " " + plural(n, noun) }

func plural(n int64, noun string) string {
	switch {
	case n == 1:
		return noun
	case strings.HasSuffix(noun, "s"):
		return noun + "es"
	}
	return noun + "s"
}

// percent prints part in percent of whole with one digit after the point; a
// share of nothing is a dash.
func percent(part, whole int64) string {
	if whole == 0 {
		return "-"
	}
	return strconv.FormatFloat(100*float64(part)/float64(whole), 'f', 1, 64)
}

// finePercent is rounded down, so that it is 100 of all only.
func finePercent(part, whole int64) string {
	switch {
	case whole == 0:
		return "-"
	case part == whole:
		return "100"
	}
	return strconv.FormatFloat(math.Floor(1e4*float64(part)/float64(whole))/100, 'f', 2, 64)
}

// unknown stands for a figure that a recording does not have.
const unknown = "unknown"

func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + " s" }
