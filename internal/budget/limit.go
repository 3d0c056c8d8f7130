package budget

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"mallard/internal/profile"
)

// Limit is what may be allocated at most.
type Limit struct {
	Objects bool  // Max is a number of objects, else of bytes
	Max     int64 // of bytes or objects
	binary  bool  // bytes are printed in KiB, else in kB
}

var byteUnits = map[string]int64{"": 1, "b": 1, "byte": 1, "bytes": 1,
	"kb": 1e3, "mb": 1e6, "gb": 1e9, "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30}

// ParseLimit reads a limit: 1 MB, 1.5GiB, 200 bytes, 1000 objects. Without a unit it is in bytes.
func ParseLimit(text string) (Limit, error) {
	number := strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ ")
	unit := strings.ToLower(strings.TrimSpace(text[len(number):]))
	n, err := strconv.ParseFloat(number, 64)
	if err != nil || n < 0 || math.IsNaN(n) {
		return Limit{}, errors.New("not a limit, such as 1 MB, 200 bytes or 1000 objects")
	}
	limit, factor := Limit{binary: strings.HasSuffix(unit, "ib")}, int64(1)
	if unit == "object" || unit == "objects" {
		limit.Objects = true
	} else if factor = byteUnits[unit]; factor == 0 {
		return Limit{}, fmt.Errorf("%q is no unit: bytes, kB, MB, GB, KiB, MiB, GiB or objects", unit)
	}
	n *= float64(factor)
	if n >= 1<<62 || n != math.Trunc(n) {
		return Limit{}, errors.New("not a whole number of bytes or objects, or too large")
	}
	limit.Max = int64(n)
	return limit, nil
}

// String gives the limit as a reader writes it.
func (l Limit) String() string { return l.Text(l.Max) }

// Of is what the limit is for.
func (l Limit) Of(a profile.Amount) int64 {
	if l.Objects {
		return a.Objects
	}
	return a.Bytes
}

// Text prints a number of what the limit is for, in the limit's kind of units: 1.3 MB, 0 objects.
func (l Limit) Text(n int64) string {
	if l.Objects {
		return counted(n, "object")
	}
	step, units := 1000.0, []string{"kB", "MB", "GB", "TB", "PB", "EB"}
	if l.binary {
		step, units = 1024, []string{"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}
	}
	value := float64(n)
	if value < step {
		return counted(n, "byte")
	}
	unit := -1
	for value >= step && unit < len(units)-1 {
		value /= step
		unit++
	}
	digits := 2
	for v := value; v >= 10 && digits > 0; v /= 10 {
		digits--
	}
	text := strconv.FormatFloat(value, 'f', digits, 64)
	if digits > 0 {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text + " " + units[unit]
}

func counted(n int64, noun string) string {
	digits := strconv.FormatInt(n, 10)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	if n != 1 {
		noun += "s"
	}
	return digits + " " + noun
}
