package launch

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mallard/internal/placement"
	"mallard/internal/session"
)

// withAgentOptions gives o as changed by the options that -agentpath has behind the library, for a recorder that no command line configured:
// words separated by commas, so that + stands between observers and no file's name has a comma.
//
//	-agentpath:LIB=file=app.mallard,track=sites,placement=site,no-adapt,force,quiet
func (o Options) withAgentOptions(text string) (Options, error) {
	for word := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(word, "=")
		switch name {
		case "":
		case "file":
			o.Output = value
		case "track":
			o.Record.Track = strings.Split(value, "+")
			for _, observer := range o.Record.Track {
				if !slices.Contains(session.Observers, observer) {
					return o, fmt.Errorf("option track=%s: choose from %s", value, strings.Join(session.Observers, ", "))
				}
			}
		case "placement":
			strategy, err := placement.ParseStrategy(value)
			if err != nil {
				return o, fmt.Errorf("option placement=%s: choose from optimal, ducktracks, site", value)
			}
			o.Record.Placement = strategy
		case "contexts":
			shape, ok := session.ContextShapes[value]
			if !ok {
				return o, fmt.Errorf("option contexts=%s: choose from hashed, encoded, tree", value)
			}
			o.Record.Contexts = shape
		case "context-memory":
			n, err := strconv.Atoi(value)
			if err != nil || n <= 0 {
				return o, fmt.Errorf("option context-memory=%s: a number of MB", value)
			}
			o.Record.ContextMB = n
		case "snapshots":
			every, err := session.ParseSnapshots(value)
			if err != nil {
				return o, fmt.Errorf("option snapshots=%s: %v", value, err)
			}
			o.Record.Snapshots = every
		case "bytecodes":
			o.Record.Bytecodes = true
		case "jni":
			o.Record.JNI = true
		case "on-snapshot":
			o.Record.OnSnapshot = value
		case "no-adapt":
			o.Record.NoAdapt = true
		case "force":
			o.Force = true
		case "quiet":
			o.Quiet = true
		default:
			return o, fmt.Errorf("unknown option %s; there are file=PATH, track=OBSERVERS, placement=STRATEGY, contexts=SHAPE, context-memory=MB, snapshots=INTERVAL, bytecodes, jni, on-snapshot=CLASS, no-adapt, force, quiet", word)
		}
	}
	return o, nil
}
