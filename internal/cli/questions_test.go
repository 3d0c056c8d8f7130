package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/rogpeppe/go-internal/txtar"
)

// TestQuestions gives the commands that docs/questions.md shows the recordings that scripts have, and compares the
// document with what they print: a fenced block is a command behind $, then its output.
func TestQuestions(t *testing.T) {
	const fence, prompt = "```", "$ mallard "
	file, err := filepath.Abs(filepath.Join("..", "..", "docs", "questions.md"))
	if err != nil {
		t.Fatal(err)
	}
	have, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	inFolderOfScripts(t)
	var page strings.Builder
	commands, output := 0, false
	for line := range strings.Lines(string(have)) {
		text := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(text, prompt):
			commands++
			output = true
			page.WriteString(line + answerOf(t, strings.TrimPrefix(text, prompt)))
			continue
		case strings.HasPrefix(text, fence):
			output = false
		}
		if !output {
			page.WriteString(line)
		}
	}
	if commands < 20 {
		t.Errorf("there are %d commands", commands)
	}
	if page.String() == string(have) {
		return
	}
	if !*update {
		t.Fatalf("%s is not what commands print; go test ./internal/cli -run TestQuestions -update rewrites it", file)
	}
	if err := os.WriteFile(file, []byte(page.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Errorf("%s was rewritten", file)
}

// inFolderOfScripts goes to a folder with the recordings of scripts, those among them that two of them make for
// themselves, where it is as late as for them.
func inFolderOfScripts(t *testing.T) {
	t.Helper()
	folder := t.TempDir()
	if err := script().Setup(&testscript.Env{WorkDir: folder}); err != nil {
		t.Fatal(err)
	}
	for name, of := range map[string]string{"waste.trace": "waste", "a.txt": "diff", "b.txt": "diff"} {
		archive, err := txtar.ParseFile(filepath.Join("testdata", "script", of+".txtar"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range archive.Files {
			if file.Name != name {
				continue
			}
			to := strings.TrimSuffix(name, filepath.Ext(name)) + ".mallard"
			if err := writeRecording(filepath.Join(folder, to), string(file.Data)); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Chdir(folder)
}

// answerOf is what a command prints that succeeds.
func answerOf(t *testing.T, command string) string {
	t.Helper()
	var out, said bytes.Buffer
	words := strings.Fields(strings.ReplaceAll(command, "'", ""))
	code := Main(context.Background(), words, Environment{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &said,
		Operations: fakeOperations})
	if code != 0 || said.Len() > 0 {
		t.Errorf("mallard %s: exit code %d, %s", command, code, said.String())
	}
	var lines strings.Builder
	for line := range strings.Lines(out.String()) {
		lines.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	return lines.String()
}
