package observe

import (
	"fmt"
	"slices"
	"strings"
)

// A Set is the observers that there are, and which of them are chosen, with their options.
type Set struct {
	definitions []*Definition
	chosen      map[string]bool
}

// NewSet makes a set of definitions, of which those are chosen that are so by default. Definitions come after those
// that they need.
func NewSet(definitions ...*Definition) *Set {
	s := &Set{definitions: definitions}
	s.reset()
	return s
}

// reset chooses what is chosen by default.
func (s *Set) reset() {
	switched := s.chosen
	s.chosen = map[string]bool{}
	for _, d := range s.definitions {
		if d.Choice == Always || d.Choice == Tracked && d.Default || d.Choice == Switched && switched[d.Name] {
			s.chosen[d.Name] = true
		}
	}
}

// Definitions lists the observers that there are.
func (s *Set) Definitions() []*Definition { return s.definitions }

// Trackable lists what --track can name, what is tracked by default first.
func (s *Set) Trackable() (names []string) {
	for _, d := range s.definitions {
		if d.Choice == Tracked {
			names = append(names, d.Name)
		}
	}
	return names
}

// Defaults lists what is tracked unless others are.
func (s *Set) Defaults() (names []string) {
	for _, d := range s.definitions {
		if d.Choice == Tracked && d.Default {
			names = append(names, d.Name)
		}
	}
	return names
}

// Track chooses observers by their names, in place of those that are tracked by default.
func (s *Set) Track(names []string) error {
	all := s.Trackable()
	if len(names) == 0 {
		return fmt.Errorf("missing value: one or more of %s", strings.Join(all, ", "))
	}
	for _, name := range names {
		if !slices.Contains(all, name) {
			return &UnknownError{name, all}
		}
	}
	s.reset()
	for _, d := range s.definitions {
		if d.Choice == Tracked && d.Default && !d.Besides {
			delete(s.chosen, d.Name)
		}
	}
	for _, name := range names {
		s.chosen[name] = true
	}
	return nil
}

// UnknownError is the error of naming an observer that there is not.
type UnknownError struct {
	Name string
	All  []string // that there are
}

func (e *UnknownError) Error() string { return "not one of " + strings.Join(e.All, ", ") }

// Options lists the options of all observers, switches that choose one included.
func (s *Set) Options() (options []Option) {
	for _, d := range s.definitions {
		if d.Choice == Switched {
			options = append(options, Option{Name: d.Name, Help: d.Help, Set: func(text string) error {
				s.chosen[d.Name] = text != "false"
				return nil
			}})
		}
		options = append(options, d.Options...)
	}
	return options
}

// Questions lists what all observers' events can answer.
func (s *Set) Questions() (list []Question) {
	for _, d := range s.definitions {
		list = append(list, d.Questions...)
	}
	return list
}

// chosenOnes lists the definitions that are chosen, or needed by those that are.
func (s *Set) chosenOnes() (list []*Definition) {
	needed := map[string]bool{}
	for _, d := range slices.Backward(s.definitions) {
		if s.chosen[d.Name] || needed[d.Name] {
			list = append(list, d)
			if d.Needs == nil {
				continue
			}
			for _, name := range d.Needs() {
				needed[name] = true
			}
		}
	}
	slices.Reverse(list)
	return list
}

// Has reports whether an observer is chosen, or needed by one that is.
func (s *Set) Has(name string) bool {
	return slices.ContainsFunc(s.chosenOnes(), func(d *Definition) bool { return d.Name == name })
}

// Check says why options of observers that are chosen do not go together. It is to be asked when all are set.
func (s *Set) Check() error {
	for _, d := range s.chosenOnes() {
		if d.Check == nil {
			continue
		}
		if err := d.Check(); err != nil {
			return err
		}
	}
	return nil
}

// Recorded is what a recording says of its observers.
func (s *Set) Recorded() (names []string) {
	for _, d := range s.chosenOnes() {
		if d.Recorded != nil {
			names = append(names, d.Recorded()...)
		} else {
			names = append(names, d.Name)
		}
	}
	return names
}

// Variant names how the observers change the code of classes; perLoader says that it is so for those of the boot loader
// only, and that code of others depends on who loads them.
func (s *Set) Variant() (variant string, perLoader bool) {
	for _, d := range s.chosenOnes() {
		perLoader = perLoader || d.PerLoader != nil && d.PerLoader()
		if d.Variant != nil {
			variant += d.Variant()
		}
	}
	return variant, perLoader
}

// JVMOptions are what JVMs should be started with.
func (s *Set) JVMOptions() (options []string) {
	for _, d := range s.chosenOnes() {
		options = append(options, d.JVMOptions...)
	}
	return options
}

// FixesPlacement reports whether counters must stay where they are placed at first.
func (s *Set) FixesPlacement() bool {
	return slices.ContainsFunc(s.chosenOnes(), func(d *Definition) bool {
		return d.FixesPlacement != nil && d.FixesPlacement()
	})
}

// Open makes the observers of a JVM. If one cannot be made, none is.
func (s *Set) Open(h *Host) (observers []Observer, err error) {
	for _, d := range s.chosenOnes() {
		o, err := d.Open(h)
		if err != nil {
			for _, o := range observers {
				o.Close()
			}
			return nil, err
		}
		observers = append(observers, o)
	}
	return observers, nil
}
