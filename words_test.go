package mallard_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

// retiredWords are words that this project once used for things that have names of the field, and what to use. They
// stand in no identifier any more, alone or as a part of it.
var retiredWords = map[string]string{
	"books":        "ledger",
	"chronicle":    "event table",
	"comings":      "churn",
	"counterpart":  "mirror",
	"counterparts": "mirrors",
	"cutter":       "component finder",
	"deed":         "signal",
	"deeds":        "signals",
	"happening":    "event row",
	"heirs":        "descendants",
	"hushed":       "drained",
	"lease":        "reserved id range",
	"lend":         "reserved id range",
	"lent":         "reserved id range",
	"mail":         "message ring",
	"meter":        "running total",
	"orphans":      "undefined",
	"owed":         "phi",
	"owes":         "phi",
	"owing":        "phi",
	"patience":     "timeout",
	"prepaid":      "piggybacked",
	"recall":       "lookup",
	"reckon":       "final statistics",
	"spots":        "insertion points",
	"stranger":     "another user",
	"strangers":    "another user",
	"stretch":      "span, range",
	"stretches":    "spans, ranges",
	"talks":        "active connections",
	"told":         "said, answered",
	"where":        "position, location, fault point",
	"yard":         "per iteration",
	"yards":        "per iteration",
	"yardsticks":   "per iteration",
}

// foreignWords are files that name what others do, in their words.
var foreignWords = regexp.MustCompile(`^tests/testdata/agents/`)

// notIdentifiers are comments and literals of Go, C and Java.
var notIdentifiers = regexp.MustCompile("(?s)//[^\n]*|/\\*.*?\\*/|\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\\n])*\"|" +
	"'(?:\\\\.|[^'\\\\\n])+'|`[^`]*`")

var identifier = regexp.MustCompile(`[\pL_$][\pL\d_$]*`)

// TestRetiredWords looks for retired words in what Go, C and Java code names.
func TestRetiredWords(t *testing.T) {
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != "." && (strings.HasPrefix(d.Name(), ".") || path == "build" || path == "bin"):
			return filepath.SkipDir
		case d.IsDir() || path == "words_test.go" || foreignWords.MatchString(filepath.ToSlash(path)):
			return nil
		}
		switch filepath.Ext(path) {
		case ".go", ".c", ".h", ".java":
		default:
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, name := range identifier.FindAllString(notIdentifiers.ReplaceAllString(string(text), " "), -1) {
			for _, word := range wordsOf(name) {
				if use, retired := retiredWords[word]; retired {
					t.Errorf("%s: %s has the word %s; use %s", path, name, word, use)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// wordsOf takes an identifier apart: hillClimber is hill and climber, SOME_NAME is some and name.
func wordsOf(name string) (words []string) {
	var word strings.Builder
	end := func() {
		if word.Len() > 0 {
			words = append(words, strings.ToLower(word.String()))
			word.Reset()
		}
	}
	lower := false
	for _, r := range name {
		if !unicode.IsLetter(r) {
			end()
			continue
		}
		if unicode.IsUpper(r) && lower {
			end()
		}
		lower = unicode.IsLower(r)
		word.WriteRune(r)
	}
	end()
	return words
}

func TestWordsOf(t *testing.T) {
	for name, want := range map[string]string{
		"hillClimber": "hill climber", "MAX_NAME": "max name", "$Mallard": "mallard", "x86": "x", "_": "",
	} {
		if got := strings.Join(wordsOf(name), " "); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
