package launch

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"mallard/internal/observe"
	"mallard/internal/placement"
)

// agentOptions are the options that -agentpath can have behind the library.
func (o *Options) agentOptions() []observe.Option {
	own := []observe.Option{
		observe.Text("file", "PATH", "", &o.Output),
		{Name: "track", Value: "OBSERVERS", Set: func(text string) error {
			return o.Record.Observers.Track(strings.Split(text, "+"))
		}},
		{Name: "placement", Value: "STRATEGY", Set: func(text string) (err error) {
			if o.Record.Placement, err = placement.ParseStrategy(text); err != nil {
				return fmt.Errorf("not one of optimal, ducktracks, site")
			}
			return nil
		}},
	}
	return slices.Concat(own, o.Record.Observers.Options(), []observe.Option{
		observe.Switch("no-adapt", "", &o.Record.NoAdapt),
		wait("answer-within", &o.Record.AnswerWithin),
		wait("exit-within", &o.Record.ExitWithin),
		observe.Switch("force", "", &o.Force),
		observe.Switch("quiet", "", &o.Quiet),
	})
}

// wait is an option that says how long the JVM waits.
func wait(name string, to *time.Duration) observe.Option {
	return observe.Option{Name: name, Value: "TIME", Set: func(text string) (err error) {
		if *to, err = time.ParseDuration(text); err != nil || *to <= 0 {
			return fmt.Errorf("not a time above 0, such as 5s")
		}
		return nil
	}}
}

// withAgentOptions gives o as changed by the options that -agentpath has behind the library, for a recorder that no
// command line configured: words separated by commas, so that + stands between observers and no file's name has a
// comma.
//
//	-agentpath:LIB=file=app.mallard,track=sites,placement=site,no-adapt,force,quiet
func (o Options) withAgentOptions(text string) (Options, error) {
	options := o.agentOptions()
	for word := range strings.SplitSeq(text, ",") {
		if word == "" {
			continue
		}
		name, value, _ := strings.Cut(word, "=")
		i := slices.IndexFunc(options, func(option observe.Option) bool { return option.Name == name })
		if i < 0 {
			return o, fmt.Errorf("unknown option: %s; the options are %s", word, usage(options))
		}
		if err := options[i].Set(value); err != nil {
			return o, fmt.Errorf("option %s: %q is %w", name, value, err)
		}
	}
	return o, o.Record.Observers.Check()
}

// usage lists options with what they take.
func usage(options []observe.Option) string {
	var words []string
	for _, o := range options {
		if o.Value != "" {
			words = append(words, o.Name+"="+o.Value)
		} else {
			words = append(words, o.Name)
		}
	}
	return strings.Join(words, ", ")
}
