package contexts

import (
	"cmp"
	"errors"
	"strconv"
	"strings"
	"time"

	"mallard/internal/instrument"
	"mallard/internal/jvm"
	"mallard/internal/observe"
)

// Name is what --track and recordings have.
const Name = "contexts"

// hashedName is what recordings have besides where contexts are hashes.
const hashedName = "hashed"

// Settings are how contexts are to be kept.
type Settings struct {
	representation instrument.Representation // as chosen
	memoryMB       int

	Tree  func() bool          // whether another observer needs them in a tree
	Every func() time.Duration // wanted between two records of them; 0 for as rarely as is cheap
}

// representations are the ways to keep contexts, by name; the first is the default.
var (
	representations     = map[string]instrument.Representation{"hashed": instrument.Hashed, "encoded": instrument.Encoded, "tree": instrument.Tree}
	representationNames = []string{"hashed", "encoded", "tree"}
)

// Representation is how contexts are kept.
func (s *Settings) Representation() instrument.Representation {
	if s.Tree() {
		return instrument.Tree
	}
	return cmp.Or(s.representation, instrument.Hashed)
}

// Define defines the observer.
func Define(s *Settings) *observe.Definition {
	return &observe.Definition{
		Name: Name, Choice: observe.Tracked,
		Options: []observe.Option{
			{
				Name: "contexts", Value: "REPRESENTATION", Choices: representationNames, Closed: true, Default: representationNames[0],
				Help: "with --track contexts: how they are kept: hashed and encoded cost less, tree counts invocations as well",
				Set:  s.setRepresentation,
			},
			{
				Name: "context-memory", Value: "MB", Default: strconv.Itoa(DefaultMemory >> 20),
				Help: "with --track contexts: memory that contexts may take in the program, in `MB`; beyond it allocations are known by their sites alone",
				Set:  s.setMemory,
			},
		},
		Recorded: func() []string {
			if s.Representation() == instrument.Hashed {
				return []string{Name, hashedName}
			}
			return []string{Name}
		},
		Variant: func() (string, bool) {
			for name, r := range representations {
				if r == s.Representation() {
					return "-" + name, true
				}
			}
			return "", false
		},
		JVMOptions:     []string{jvm.CompileHuge}, // what announces its calls grows by eight bytes for each
		FixesPlacement: func() bool { return true },
		Open: func(h *observe.Host) (observe.Observer, error) {
			o := Options{Representation: s.Representation(), Memory: uint64(s.memoryMB) << 20, Every: s.Every(), Huge: h.Launched}
			c, err := Open(o, h)
			if err != nil {
				return nil, err
			}
			return c, nil
		},
	}
}

func (s *Settings) setRepresentation(text string) error {
	r, ok := representations[text]
	if !ok {
		return errors.New("choose from " + strings.Join(representationNames, ", "))
	}
	s.representation = r
	return nil
}

func (s *Settings) setMemory(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n <= 0 {
		return errors.New("a number of MB, more than 0")
	}
	s.memoryMB = n
	return nil
}
