package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"mallard/internal/budget"
	"mallard/internal/export"
	"mallard/internal/profile"
)

// checkForm is a form of what came of rules.
type checkForm = option[func(*export.BudgetReport, io.Writer) error]

func (p *program) checkCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "check FILE...",
		Short: "Hold recordings against budgets: what may be allocated at most",
		Long: `Check recordings against a file of rules, and against the budgets of JUnit tests. The
exit code is 1 if any of the recordings is over a limit.

A rule is one line; # begins a comment:

  max 1 MB under com.shop.Order.total
  max 0 objects class java.lang.Integer mine 'org.foo.*'
  max 200 kB transaction order optional
  max 20 kB per transaction order
  max 0 objects waste boxing,enum-values under com.shop.Order.total

After max comes a number with a unit: bytes (the default), kB, MB, GB (powers of 1000),
KiB, MiB, GiB (powers of 1024), or objects. Then come filters: class, method, under,
transaction and thread, each with names as in "mallard report", and mine, which keeps
only what lines of these classes led to. Names with spaces are put in quotes. "per"
before transaction makes it a limit for the average transaction. "waste" takes kinds of
"mallard report --by waste", or all, and counts only these.

A rule with a name that matches nothing fails, as it is usually a mistake; "optional"
at its end allows it. Rules with under or transaction need a recording with contexts.

Each rule is printed with what was allocated and, if that is over the limit, by how
much, and which line of your own code (the main class's package, or mine) allocated
most.

A test of JUnit 5 (5.5 or newer) can have its own budget:

  @Test
  @mallard.Allocates(max = "1 MB")
  void orders() { ... }

The annotation is in the jar that "mallard apijar" names. Under "mallard run --track
contexts" such a test fails in JUnit if an invocation is over its budget, and this
command says the same of the recording. What counts is what the test method and all that
it calls allocated in its thread. The first invocation includes what the JVM allocates
to load classes: in tests that are repeated or have parameters, warmup = 2 leaves out
the first two.

JUnit waits for the recorder to answer, for --answer-within at most. If there is no
answer the test passes, and only this command checks it. With --keep, and where FILE is
no regular file, JUnit does not check.

--format github prints commands with which GitHub annotates source lines, gitlab a code
quality report. Sources are looked for as by "mallard source"; where a file is not
found the line of the rule is annotated.`,
		Example: `  mallard check app.mallard --rules budgets.txt
  mallard check app.mallard --rules budgets.txt --format github --source src/main/java`,
		Args:        someRecordings,
		Annotations: allAreRecordings,
	}
	rules := cmd.Flags().String("rules", "", "the `FILE` of rules, - for standard input")
	format := addChoice(cmd, "format", "form of the results",
		checkForm{"text", (*export.BudgetReport).Text},
		checkForm{"json", (*export.BudgetReport).JSON},
		checkForm{"github", (*export.BudgetReport).GitHub},
		checkForm{"gitlab", (*export.BudgetReport).GitLab})
	paths := cmd.Flags().StringSlice("source", nil, "look for sources in these `PATHS`, separated by commas "+
		"(default .)")
	p.bound.addFlag(cmd)
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		var list []budget.Rule
		if *rules != "" {
			var err error
			if list, err = p.readRules(*rules); err != nil {
				return err
			}
		}
		places := sources(*paths)
		if len(places) == 0 {
			places = sources{"."}
		}
		report := &export.BudgetReport{Rules: *rules, Find: func(name string) (string, bool) {
			_, place, found := places.find(name)
			return filepath.ToSlash(place), found
		}}
		for _, name := range args {
			recording, err := p.open(name)
			if err != nil {
				return err
			}
			p.sayIncomplete(recording)
			all := slices.Concat(list, budget.Annotated(recording.profile))
			if len(all) == 0 {
				return fmt.Errorf("%s has no tests with budgets (mallard.Allocates); --rules FILE names a file of "+
					"rules", name)
			}
			for i := range all {
				report.Results = append(report.Results,
					export.BudgetResult{File: name, Result: budget.Check(recording.profile, &all[i], nil)})
			}
		}
		if err := p.print(func(w io.Writer) error { return format.value(report, w) }); err != nil {
			return err
		}
		if n := report.Failed(); n > 0 {
			return fmt.Errorf("%d of %s not kept", n, budgets(len(report.Results)))
		}
		return nil
	}
	return cmd
}

func budgets(n int) string {
	if n == 1 {
		return "1 budget is"
	}
	return fmt.Sprintf("%d budgets are", n)
}

// readRules reads a file of rules, at least one.
func (p *program) readRules(name string) ([]budget.Rule, error) {
	input, shown := p.Stdin, name
	if name == stdoutName {
		shown = "standard input"
	} else {
		file, err := os.Open(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, cause(err))
		}
		defer file.Close()
		input = file
	}
	rules, err := budget.ParseRules(input)
	if err != nil {
		return nil, fmt.Errorf("%s:%w", shown, cause(err))
	}
	if len(rules) == 0 {
		return nil, fmt.Errorf("%s has no rules", shown)
	}
	return rules, nil
}

// sayIncomplete warns where a recording may have less than was allocated.
func (p *program) sayIncomplete(r *recording) {
	switch {
	case len(r.profile.Losses) > 0:
		p.say(`%s has losses, so counts may be too small; "mallard info" names them`, r.name)
	case !r.profile.Complete:
		p.say("%s ends before its program did, so counts may be too small", r.name)
	}
}

// failOver says of a report by how much what it selects is over a limit, and which line of the user's own code
// allocated most; nil where it is not.
func (r *recording) failOver(rule budget.Rule, mine *profile.Mine) error {
	switch result := budget.Check(r.profile, &rule, mine); result.Status {
	case budget.Over:
		return errors.New(result.Text())
	case budget.Unknown:
		return errors.New(result.Reason)
	}
	return nil
}
