package snapshots

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// Interval is how far apart snapshots are. One of the two is 0, both for [DefaultEvery].
type Interval struct {
	Time      time.Duration
	Bytecodes int64 // that a thread executes in classes of the program
}

// DefaultEvery is how often snapshots are taken: how much a killed recorder may lose. (A killed JVM loses nothing: its
// counters outlive it.)
const DefaultEvery = time.Second

// bytecodesUnit is what an interval in bytecodes ends in.
const bytecodesUnit = "bc"

// The least and the largest intervals between snapshots. With less than some thousand bytecodes a program would do
// little but wait for them.
const (
	leastTime      = time.Millisecond
	mostTime       = time.Hour
	leastBytecodes = 1000
	mostBytecodes  = 1e15
)

// ParseInterval reads an interval as options have it: 100ms, 1000000bc.
func ParseInterval(text string) (Interval, error) {
	var every Interval
	var err error
	if number, ok := strings.CutSuffix(text, bytecodesUnit); ok {
		every.Bytecodes, err = strconv.ParseInt(number, 10, 64)
	} else {
		every.Time, err = time.ParseDuration(text)
	}
	if err != nil || every.Time <= 0 && every.Bytecodes <= 0 {
		return Interval{}, errors.New("not a time such as 100ms, nor a number of bytecodes such as 1000000bc")
	}
	return every, nil
}

// parse is ParseInterval for snapshots, which can be too near to one another, and too far apart.
func parse(text string) (Interval, error) {
	every, err := ParseInterval(text)
	if err != nil {
		return every, err
	}
	if time := every.Time; time != 0 && (time < leastTime || time > mostTime) || time == 0 &&
		(every.Bytecodes < leastBytecodes || every.Bytecodes > mostBytecodes) {
		return Interval{}, errors.New("not between 1ms and 1h, or 1000bc and 1000000000000000bc")
	}
	return every, nil
}
