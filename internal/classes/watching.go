package classes

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"mallard/internal/abi"
	"mallard/internal/instrument"
)

// Some classes at a time have code that tells what it reads ([instrument.Options.Watched]), for moments, with long
// pauses between them: what is changed is compiled anew, and loops that tell what they read are slow. That is a share
// of the program's processor time, which moments and pauses are measured in.
const (
	watchedAtOnce = 24
	unasked       = 8       // of them, classes of the program that few have asked for
	mostOfProgram = 1 << 14 // classes of the program that are thought of
	watchFor      = 600 * time.Millisecond
	pausePerWork  = 20 // a pause is so many times as long as retransforming took, or longer
	// The first moment begins after as much as a pause, and between these: one may take 4 s, mostly to compile anew.
	soonestWatch = time.Second
	latestWatch  = 80 * time.Second
)

// watchedClass is a class that has been chosen, or classes, of one name.
type watchedClass struct {
	rounds int
	wanted bool // its code is to tell what it reads
	tells  bool // it does
	asked  bool // an order has been given
}

// watching is which classes tell what they read.
type watching struct {
	classes map[string]*watchedClass
	program map[string]bool // names of classes that are the program's
	on      bool            // some tell
	next    time.Duration   // when that changes
	began   bool            // some have begun to tell
	now     time.Duration   // the program's processor time
	took    time.Duration   // to retransform, since some began to
}

// wants reports whether the code of a class of that name is to tell what it reads.
func (w *watching) wants(name string) bool {
	c := w.classes[name]
	return c != nil && c.wanted
}

// end has no class tell what it reads, for a pause; 0: for none.
func (w *watching) end(pause time.Duration) {
	for _, c := range w.classes {
		c.wanted = false
	}
	if pause > 0 {
		pause = max(pause, pausePerWork*w.took)
	}
	w.on, w.next = false, w.now+pause
}

// choose says who is to tell what it reads.
func (w *watching) choose(worth map[string]float64, program []string) {
	type chance struct {
		name string
		of   float64
	}
	var list []chance
	for name, value := range worth {
		if !instrument.MayWatch(name) || value <= 0 {
			continue
		}
		rounds := 0
		if c := w.classes[name]; c != nil {
			if c.asked { // it was refused
				continue
			}
			rounds = c.rounds
		}
		value /= float64((rounds + 1) * (rounds + 1))
		// the largest of these are a sample in which each has a chance as it is worth (Efraimidis and Spirakis, 2006)
		list = append(list, chance{name, math.Log(1-rand.Float64()) / value})
	}
	slices.SortFunc(list, func(a, b chance) int { return cmp.Compare(b.of, a.of) })
	for _, c := range list[:min(len(list), watchedAtOnce-unasked)] {
		w.want(c.name)
	}
	rand.Shuffle(len(program), func(i, j int) { program[i], program[j] = program[j], program[i] })
	slices.SortStableFunc(program, func(a, b string) int { return cmp.Compare(w.rounds(a), w.rounds(b)) })
	for n, i := 0, 0; n < unasked && i < len(program); i++ {
		if !w.wants(program[i]) && instrument.MayWatch(program[i]) {
			w.want(program[i])
			n++
		}
	}
}

func (w *watching) rounds(name string) int {
	if c := w.classes[name]; c != nil {
		return c.rounds
	}
	return 0
}

func (w *watching) want(name string) {
	c := w.classes[name]
	if c == nil {
		c = &watchedClass{}
		w.classes[name] = c
	}
	c.wanted = true
	c.rounds++
}

// changed notes what became of an order, and how long that took. A moment is as long as it is to be from the last class
// on that was retransformed; it does not wait for those that have a method running.
func (w *watching) changed(outcome uint32, took time.Duration) {
	w.took += took
	if outcome == abi.OutcomeDone {
		w.began = w.on
	}
}

// outcome notes what became of an order. What has a method running is tried again.
func (c *watchedClass) outcome(outcome uint32) {
	switch {
	case outcome == abi.OutcomeDone:
		c.asked, c.tells = false, c.wanted
	case outcome == abi.OutcomeLive:
		c.asked = false
	default: // it is gone, or the JVM would not
		c.wanted, c.tells = false, false
	}
}
