package launch

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestDescendants looks for a process all the time while it executes one program after the other, as a command and what
// it leaves behind do: its environment is in none of them for a moment each time, and it may start a JVM all the same.
func TestDescendants(t *testing.T) {
	t.Parallel()
	word := filepath.Join(t.TempDir(), "agent")
	command := exec.CommandContext(t.Context(), "sh", "-c",
		`[ $1 = 0 ] || exec sh -c "$0" "$0" $(($1 - 1)); echo; read end`)
	command.Args = append(command.Args, command.Args[2], "1000")
	command.Env = append(os.Environ(), "DESCENDANT="+word)
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	settled := make(chan bool)
	go func() {
		bufio.NewReader(out).ReadString('\n')
		close(settled)
	}()
	looks, missed := 0, 0
	for done := false; !done; looks++ {
		select {
		case <-settled:
			done = true
		default:
		}
		if !mayStartJVMs(word) {
			missed++
		}
	}
	if missed > 0 {
		t.Errorf("not seen %d times of %d", missed, looks)
	}
	in.Close()
	command.Wait()           // the read that ended it failed
	for mayStartJVMs(word) { // others may be executing programs
	}
}
