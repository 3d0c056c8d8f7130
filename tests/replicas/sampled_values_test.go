package replicas_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mallard/internal/abi"
	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
	"mallard/internal/replica"
)

// met are contents that copies of Known.java have, by the method that makes them, first those that most pairs have.
var met = map[string][]string{
	"every": {`^Known\$Every\{open=true, small=-7, sign='\\n', number=-1, far=-9223372036854775808, rate=2\.5, ` +
		`exact=-0\.125, owner="Secret-Text \\x1b\[31m", box=4711, nothing=null, type=int\[\]\.class, ` +
		`day=Known\$Day@[0-9a-f]+, other=Known@[0-9a-f]+, few=int\[2\]\{1, 2\}, months=12\}$`},
	"longs": {`^long\[100\]\{-1, 9223372036854775807, 0(, 0)+, …\}$`},
	"chars": {`^char\[17\]"Secret-Text \\x1b\[31m"$`},
	"objects": {`^Object\[8\]\{Known\.class, "Secret-Text \\x1b\[31m", null, 4711, int\[2\]\{1, 2\}, ` +
		`"Secret€\\u202e", Known\$Day@[0-9a-f]+, Class@[0-9a-f]+\}$`},
	"flags": {`^boolean\[33\]\{false, true(, false){31}\}$`},
	"ranked": {`^Known\$Two\{number=4, a=0, b=0, c=0, d=0\}$`,
		`^Known\$Two\{number=5, a=0, b=0, c=0, d=0\}$`},
	"changing": {`^Known\$Changing\{text=(null|"one"), more=(null|Object\[\]@[0-9a-f]+), number=3, a=0, ` +
		`b=0, c=0, d=0\}$`},
}

// known is what a recording of Known.java has of samples.
type known struct {
	samples *replica.Samples
	answer  *replica.SampledAnswer
	events  profile.Events
	file    string
}

// sampledKnown runs Known.java for so many seconds.
func sampledKnown(t *testing.T, jdk jvmtest.JDK, seconds int, options []string, flags ...string) known {
	t.Helper()
	command := mallardtest.Compiled(t, jdk, "Known")
	command.Options = append(options, "-Xmx128m")
	command.Args = []string{fmt.Sprint(seconds)}
	k := known{events: profile.Events{replica.Observer: nil, "objects": nil}}
	flags = append([]string{"-q", "--track", "replicas", "--replicas", "sampled", "--sampling-pause", "0"}, flags...)
	command, k.file = mallardtest.Profiled(t, command, flags...)
	output := jdk.MustRun(t, command)
	if output.ExitCode != 0 || output.Stdout != "" { // -Xcheck:jni says there what it finds
		t.Fatalf("exit code %d\n%s%s", output.ExitCode, output.Stdout, output.Stderr)
	}
	p := mallardtest.Read(t, k.file, k.events)
	if !p.Complete || len(p.Losses) > 0 {
		t.Fatalf("complete %v, losses %v\n%s", p.Complete, p.Losses, output.Stderr)
	}
	if k.samples = replica.ReadSamples(k.events[replica.Observer]); k.samples == nil {
		t.Fatal("no samples")
	}
	k.answer = k.samples.Ask(p, replica.SampledQuery{})
	if k.answer.Lost > 0 || k.answer.Damaged > 0 {
		t.Errorf("%d lost, %d damaged", k.answer.Lost, k.answer.Damaged)
	}
	return k
}

// fewest gives how many pairs are copies of the kind that has least, and of any kind.
func (k *known) fewest() (least int64) {
	pairs := map[string]int64{}
	for _, row := range k.answer.Rows {
		pairs[row.Stack[0].Name] += row.Pairs.Copies
	}
	least = 1 << 40
	for method := range met {
		least = min(least, pairs[method])
	}
	return least
}

// sampledLong is sampledKnown for as long as it takes until so many pairs of each kind were copies: how many samples
// there are in a second is the machine's load's.
func sampledLong(t *testing.T, jdk jvmtest.JDK, pairs int64, options []string, flags ...string) known {
	t.Helper()
	for seconds := 6; ; seconds *= 3 {
		k := sampledKnown(t, jdk, seconds, options, flags...)
		fewest := k.fewest()
		if fewest >= pairs {
			return k
		}
		t.Logf("%d s: of a kind %d pairs are copies", seconds, fewest)
		if seconds > 100 {
			t.Error("too few pairs are copies")
			return k
		}
	}
}

// TestSampledValues: what is shown of what was sampled is what the program has put into it, with any collector.
func TestSampledValues(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i, options := range [][]string{{"-XX:+UseZGC"}, {"-XX:+UseG1GC", "-Xcheck:jni"},
			{"-XX:+UseParallelGC", "-XX:-UseCompressedOops"}, {"-XX:+UseSerialGC"}} {
			if !jvmtest.IsTurn(t, jdk, i) {
				continue
			}
			k := sampledLong(t, jdk, 12, options, "--show-values")
			for _, row := range k.answer.Rows {
				method := row.Stack[0].Name
				if want := met[method]; want != nil && row.Stack[0].Class == "Known$Maker" {
					checkMet(t, fmt.Sprint(options, " ", method), row, want)
				}
			}
		}
	})
}

func checkMet(t *testing.T, title string, row replica.SampledRow, want []string) {
	t.Helper()
	const few = 12 // pairs of which those that are rarer may happen to be more
	pairs := int64(0)
	for i, example := range row.Examples {
		pairs += example.Count
		got := example.Contents.String()
		isKnown := slices.ContainsFunc(want, func(one string) bool { return regexp.MustCompile(one).MatchString(got) })
		if i == 0 && example.Count > few/2 {
			isKnown = regexp.MustCompile(want[0]).MatchString(got)
		}
		if i < len(want) && !isKnown {
			t.Errorf("%s: %s, want %s", title, got, want)
		}
		if i > 0 && example.Count > row.Examples[i-1].Count {
			t.Errorf("%s: %d pairs had %s, %d of what is in front of it", title, example.Count, got,
				row.Examples[i-1].Count)
		}
	}
	changes := strings.Contains(title, "changing") // and then nothing is told
	if len(row.Examples) == 0 || pairs > row.Pairs.Copies || !changes && pairs < row.Pairs.Copies*3/4 {
		t.Errorf("%s: contents of %d pairs; %d were copies", title, pairs, row.Pairs.Copies)
	}
}

// TestNoSampledValues: where nobody has asked for contents none are recorded of what is sampled.
func TestNoSampledValues(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for _, asked := range []bool{false, true} {
			flags := []string{}
			if asked { // then the file has them: this test sees what it looks for
				flags = append(flags, "--show-values")
			}
			k := sampledLong(t, jdk, 1, []string{"-XX:+UseSerialGC"}, flags...)
			raw, err := os.ReadFile(filepath.Clean(k.file))
			if err != nil {
				t.Fatal(err)
			}
			has, values := bytes.Contains(raw, []byte(secret)), 0
			for _, records := range k.events {
				for _, record := range records {
					has = has || bytes.Contains(record.Data, []byte(secret))
					for kind := range record.All() {
						if kind == abi.EventSampledValue || kind == abi.EventReplicaValue {
							values++
						}
					}
				}
			}
			if has != asked || values > 0 != asked || k.samples.HasValues() != asked {
				t.Errorf("asked for %v: contents are in the file: %v; %d values", asked, has, values)
			}
		}
	})
}

// TestSampledSanitized: the agent reads and writes nothing but what it may while it reads contents of what is sampled.
func TestSampledSanitized(t *testing.T) {
	agent, environment := mallardtest.SanitizedAgent(t)
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i, options := range [][]string{{"-XX:+UseG1GC"}, {"-XX:+UseSerialGC"}} {
			if !jvmtest.IsTurn(t, jdk, i) {
				continue
			}
			file := filepath.Join(t.TempDir(), "run.mallard")
			command := mallardtest.Compiled(t, jdk, "Known")
			command.Options = append(options, "-Xmx128m", "-agentpath:"+agent+
				"=track=replicas,replicas=sampled,sampling-pause=0,show-values,quiet,file="+file)
			command.Args = []string{"6"}
			command.Env = environment
			if output := jdk.MustRun(t, command); output.ExitCode != 0 {
				t.Fatalf("%v: exit code %d\n%.5000s", options, output.ExitCode, output.Stderr)
			}
			events := profile.Events{replica.Observer: nil}
			p := mallardtest.Read(t, file, events)
			samples := replica.ReadSamples(events[replica.Observer])
			if !p.Complete || samples == nil || !samples.HasValues() {
				t.Errorf("%v: complete %v, samples with contents: %v", options, p.Complete, samples != nil)
			}
		}
	})
}
