package contexts

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"unicode"

	"mallard/internal/budget"
	"mallard/internal/profile"
	"mallard/internal/recording"
)

// A test with a budget asks, when it has ended, whether it has allocated more: see mallard.AllocatesExtension. What it
// has counted by then is recorded, and the recording is read on as far as it is written, by whom "mallard check" reads
// it. So both say the same.

// errNoFigures is why a test is not held against its budget.
var errNoFigures = errors.New("what was counted until now is not known to be in the recording")

// budgetReader reads the recording for them; for [Contexts.Run].
type budgetReader struct {
	stop <-chan struct{} // closed when nobody waits any more
	file *os.File        // nil before it is needed
	name string          // of the recording
	tail *profile.Tail
}

// open opens it, if that was not done.
func (r *budgetReader) open(out *recording.Recording) error {
	if r.file != nil {
		return nil
	}
	file, name, err := out.Open()
	if err != nil {
		return err
	}
	r.file, r.name, r.tail = file, name, profile.NewTail(file)
	return nil
}

// ahead reads what there is, so that there is less to be read when a test has ended.
func (r *budgetReader) ahead(out *recording.Recording) error {
	if err := r.open(out); err != nil {
		return err
	}
	return r.tail.Read()
}

func (r *budgetReader) close() {
	if r.file != nil {
		r.file.Close()
	}
}

// answerBudgets finds out what is to be said to those that have asked, where not just one has begun.
func (c *Contexts) answerBudgets(r *budgetReader) {
	names := c.budgets.take()
	if len(names) == 0 {
		c.failed(r.ahead(c.out))
	}
	for _, name := range names {
		over, err := c.overBudget(r, name)
		c.failed(err)
		c.budgets.say(name, over)
	}
}

// failed notes why budgets are not looked at.
func (c *Contexts) failed(err error) {
	if err != nil {
		c.log.Debug("tests are not held against their budgets", "error", err)
	}
}

// overBudget says of a test by how much it is over its budget; nothing where it is not.
func (c *Contexts) overBudget(r *budgetReader, name string) (string, error) {
	c.fault("budget")
	rule, ok := budget.OfTest(name)
	if !ok {
		return "", nil
	}
	if mistake := rule.Mistake(); mistake != "" {
		return fmt.Sprintf("the budget in test %s is %s", rule.Test, mistake), nil
	}
	allocated, err := c.allocated(r, rule.Filter)
	if err != nil {
		return "", err
	}
	result := rule.Hold(allocated)
	if result.Status != budget.Over {
		return "", nil
	}
	words := []string{"mallard", "report", "--by", "caller", "--mine", ownClasses(rule.Filter.Under), "--under",
		rule.Filter.Under, "--transaction", name, r.name}
	for i := range words {
		words[i] = quoted(words[i])
	}
	return result.Text() + "; for where, run: " + strings.Join(words, " "), nil
}

// allocated is what was allocated in a transaction that has ended, below a method.
func (c *Contexts) allocated(r *budgetReader, filter profile.Filter) (profile.Amount, error) {
	if err := r.open(c.out); err != nil { // nobody waits for a pipe
		return profile.Amount{}, err
	}
	recorded := false
	c.counting.Do(func() { recorded = c.recordNews() })
	if !recorded || !c.out.Sync(r.stop) || c.out.Dropped() > 0 {
		return profile.Amount{}, errNoFigures
	}
	if err := r.tail.Read(); err != nil {
		return profile.Amount{}, err
	}
	return r.tail.InTransaction(filter), nil
}

// ownClasses are those whose lines are told: of the test's package, or the test's class where it has none.
func ownClasses(method string) string {
	class := method[:max(strings.LastIndexByte(method, '.'), 0)]
	if end := strings.LastIndexByte(class, '.'); end >= 0 {
		return class[:end] + ".*"
	}
	class, _, _ = strings.Cut(class, "$")
	return class
}

// quoted is a word for a shell.
func quoted(word string) string {
	if !strings.ContainsFunc(word, func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune("_-./", c)
	}) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
