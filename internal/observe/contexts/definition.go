package contexts

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strconv"
	"strings"
	"time"

	"mallard/internal/instrument"
	"mallard/internal/jvm"
	"mallard/internal/observe"
	"mallard/internal/transactions"
)

// Name is what --track and recordings have.
const Name = "contexts"

// hashedName is what recordings have besides where contexts are hashes.
const hashedName = "hashed"

// Settings are how contexts are to be kept.
type Settings struct {
	representation instrument.Representation // as chosen
	memoryMB       int
	transactions   transactions.List
	transactionAt  []string // what that was made of

	Tree  func() bool          // whether another observer needs them in a tree
	Every func() time.Duration // wanted between two records of them; 0 for as rarely as is cheap
}

// representations are the ways to keep contexts, by name; the first is the default.
var (
	representations = map[string]instrument.Representation{"hashed": instrument.Hashed,
		"encoded": instrument.Encoded, "tree": instrument.Tree}
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
		About: about,
		Options: []observe.Option{
			{
				Name: "contexts", Value: "REPRESENTATION", Choices: representationNames, Closed: true,
				Default: representationNames[0],
				Help: "with --track contexts: how they are kept: hashed and encoded cost less, tree counts " +
					"invocations as well",
				Set: s.setRepresentation,
			},
			{
				Name: "context-memory", Value: "MB", Default: strconv.Itoa(DefaultMemory >> 20),
				Help: "with --track contexts: memory that contexts may take in the program, in `MB`; beyond it " +
					"allocations are known by their sites alone",
				Set: s.setMemory,
			},
			{
				Name: "transaction-at", Value: "METHODS", Choices: transactions.Presets(),
				Help: "with --track contexts: each invocation of these `METHODS` is a transaction, such as " +
					"Shop.order, Shop.order(1), servlets (see \"mallard help transactions\")",
				Set: s.setTransactions,
			},
		},
		Recorded: func() []string {
			if s.Representation() == instrument.Hashed {
				return []string{Name, hashedName}
			}
			return []string{Name}
		},
		Variant: func() string {
			for name, r := range representations {
				if r == s.Representation() {
					return "-" + name + s.transactionVariant()
				}
			}
			return "-" + Name + s.transactionVariant()
		},
		JVMOptions:     []string{jvm.CompileHuge}, // what announces its calls grows by eight bytes for each
		FixesPlacement: func() bool { return true },
		Open: func(h *observe.Host) (observe.Observer, error) {
			o := Options{Representation: s.Representation(), Memory: uint64(s.memoryMB) << 20, Every: s.Every(),
				Huge: h.Launched, Transactions: s.transactions}
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
		return errors.New("not one of " + strings.Join(representationNames, ", "))
	}
	s.representation = r
	return nil
}

func (s *Settings) setMemory(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n <= 0 {
		return errors.New("not a number of MB above 0")
	}
	s.memoryMB = n
	return nil
}

// setTransactions may be called several times.
func (s *Settings) setTransactions(text string) error {
	list, err := transactions.ParseList(text)
	if err != nil {
		return err
	}
	s.transactions, s.transactionAt = append(s.transactions, list...), append(s.transactionAt, text)
	return nil
}

// transactionVariant stands for which methods are transactions.
func (s *Settings) transactionVariant() string {
	if len(s.transactionAt) == 0 {
		return ""
	}
	sum := sha256.Sum256([]byte(strings.Join(s.transactionAt, ",")))
	return "-at-" + hex.EncodeToString(sum[:8])
}

// about is what "mallard help tracks" says.
const about = `every allocation with its calling context: the chain of calls that led to
it, from the thread's first frame to the last, as the JVM prints stacks.
Contexts take memory in the program, up to --context-memory. Each call
costs something, so programs that spend their time in small methods slow
down most. Methods grow, so the JVM is started with
-XX:-DontCompileHugeMethods. --contexts selects how contexts are kept:

hashed  each invocation computes a 64-bit hash of its context, which is
        looked up only if it allocates. Two contexts of a thread may have
        the same hash and are then one: with a million contexts this
        happens in one of 18 million runs. "mallard info" prints the
        probability.
encoded each invocation adds a constant of the call to its caller's
        number, which is decoded if it allocates. No two contexts of a
        thread have the same number, so this is exact.
tree    each invocation finds its node in the tree of its thread, which
        also counts how often it was entered. Two to three times the
        program's time is common.`
