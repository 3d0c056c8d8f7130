package replicas_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"mallard/internal/abi"
	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
	"mallard/internal/replica"
)

// secret is in objects of Valued.java, and nowhere in its code.
const secret = "Secret-Text"

// contents are what objects of Valued.java have that are copies, by the method that makes them.
var contents = map[string]string{
	"accounts": `^Valued\$Account\{owner="Secret-Text \\x1b\[31m", number=4711, nothing=null, self=Valued@[0-9a-f]+, ` +
		`open=true, sign='\\n', rate=2.5\}$`,
	"savings": `^Valued\$Savings\{months=long\[3\]\{12, 13, -14\}, owner="Secret€\\u202e", number=4711, ` +
		`nothing=null, self=null, open=true, sign='\\n', rate=2.5\}$`,
	"longs": `^long\[100\]\{-1, -9223372036854775808, 0(, 0)+, …\}$`,
	"chars": `^char\[17\]"Secret-Text \\x1b\[31m"$`,
	"objects": `^Object\[5\]\{Valued\.class, "Secret-Text \\x1b\[31m", null, 4711, ` +
		`long\[3\]\{12, 13, -14\}\}$`,
	"boxes": `^-1$`,
	"texts": `^"Secret-Text \\x1b\[31m"$`,
}

// valued records Valued.java.
func valued(t *testing.T, jdk jvmtest.JDK, options []string, flags ...string) recorded {
	t.Helper()
	command := mallardtest.Compiled(t, jdk, "Valued")
	command.Options = append(options, "-Xmx64m")
	return record(t, jdk, command, flags...)
}

// TestValues: what is shown of the largest group is what the program has put into it.
func TestValues(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i, options := range heaps {
			if !jvmtest.IsTurn(t, jdk, i) {
				continue
			}
			r := valued(t, jdk, options, "--show-values")
			for method, want := range contents {
				found := false
				for _, row := range r.answer.Rows {
					site := r.counts.Site(row.Class)
					if site == nil || site.Class != "Valued" || site.Method != method || len(row.Examples) == 0 {
						continue
					}
					found = true
					first := row.Examples[0]
					if got := first.Contents.String(); !regexp.MustCompile(want).MatchString(got) {
						t.Errorf("%v: %s: %s, want %s", options, method, got, want)
					}
					if first.Count != row.Largest || first.Count < 2900 {
						t.Errorf("%v: %s: %d objects, the largest group has %d", options, method, first.Count,
							row.Largest)
					}
				}
				if !found {
					t.Errorf("%v: nothing is known of what %s has made", options, method)
				}
			}
		}
	})
}

// TestNoValues: where nobody has asked for contents none are recorded, of anything.
func TestNoValues(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for _, asked := range []bool{false, true} {
			flags := []string{"-q", "--track", "replicas", "--replicas-pause", "0"}
			if asked { // then the file has them: this test sees what it looks for
				flags = append(flags, "--show-values")
			}
			command := mallardtest.Compiled(t, jdk, "Valued")
			command.Options = []string{"-Xmx64m", "-XX:+UseSerialGC", "-Xmn6m"}
			command, file := mallardtest.Profiled(t, command, flags...)
			if output := jdk.MustRun(t, command); output.ExitCode != 0 {
				t.Fatalf("exit code %d\n%s", output.ExitCode, output.Stderr)
			}
			raw, err := os.ReadFile(filepath.Clean(file))
			if err != nil {
				t.Fatal(err)
			}
			events, has, values := profile.Events{replica.Observer: nil, "objects": nil}, bytes.Contains(raw,
				[]byte(secret)), 0
			mallardtest.Read(t, file, events)
			for _, records := range events {
				for _, record := range records {
					has = has || bytes.Contains(record.Data, []byte(secret))
					for kind := range record.All() {
						if kind == abi.EventReplicaValue {
							values++
						}
					}
				}
			}
			if has != asked || values > 0 != asked {
				t.Errorf("asked for %v: contents are in the file: %v; %d values", asked, has, values)
			}
		}
	})
}
