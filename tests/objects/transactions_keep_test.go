package objects_test

import (
	"encoding/json"
	"math"
	"os/exec"
	"strings"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// TestTransactionsKeep has a program keep an object of 16 bytes in each transaction: what is said of the class that
// grows says so, and of how many.
func TestTransactionsKeep(t *testing.T) {
	jdk := jvmtest.JDKs(t)[0]
	command := mallardtest.Compiled(t, jdk, "Keeps")
	command.Options = append(command.Options, "-Xmx96m", "-Xmn16m", "-XX:MaxTenuringThreshold=1", "-XX:+UseSerialGC")
	command.Args = []string{"listener", "2000", "30", "20000"}
	for run := 1; ; run++ {
		command, file := mallardtest.Profiled(t, command, "-q", "--track", "contexts,objects", "--transaction-at",
			"Keeps.listen")
		if output := jdk.MustRun(t, command); output.ExitCode != 0 {
			t.Fatalf("exit code %d\n%s", output.ExitCode, output.Stderr)
		}
		if saysWhatTransactionsKeep(t, file) {
			return
		}
		if run == 3 { // on a busy machine a program may not be steady enough
			t.Fatal("nothing is said to grow")
		}
	}
}

// saysWhatTransactionsKeep is false where the class is not said to grow.
func saysWhatTransactionsKeep(t *testing.T, file string) bool {
	t.Helper()
	out, err := exec.Command(mallardtest.Binary(t), "heap", "--format", "json", file).Output()
	if err != nil {
		t.Fatal(err)
	}
	var report struct {
		Verdicts []struct {
			Verdict, Class, Transaction, Text string
			Figures                           map[string]float64
		}
	}
	if err := json.Unmarshal(out, &report); err != nil {
		t.Fatal(err)
	}
	for _, v := range report.Verdicts {
		if v.Verdict != "growing" || v.Class != "Keeps$Heard" {
			continue
		}
		made := float64(mallardtest.Objects(t, file, "Keeps", "Keeps$Heard"))
		if v.Transaction != "Keeps.listen" || v.Figures["transactions"] != made ||
			math.Abs(v.Figures["bytes_per_transaction"]-16) > 0.001 ||
			!strings.Contains(v.Text, " 16 B of it for each of ") {
			t.Errorf("%+v; %v objects were made", v, made)
		}
		return true
	}
	return false
}
