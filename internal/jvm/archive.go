package jvm

import (
	"os"
	"slices"
	"strings"
)

// writesArchive gives the option by which the JVM of a command writes an archive of its classes (CDS, an AOT cache); ""
// if there is none, or none can be seen: of a script only the environment is known. Such a JVM refuses native agents
// (vm_exit_during_cds_dumping), or cannot write classes that one has changed.
func writesArchive(command, environment []string) string {
	options := environmentOptions(environment, toolOptions)
	if len(command) > 0 {
		switch l, ok := FindLauncher(command[0]); {
		case ok && l.isJava():
			words := environmentOptions(environment, "JDK_JAVA_OPTIONS")
			options = append(options, javaOptions(append(words, command[1:]...))...)
		case ok:
			for _, word := range command[1:] {
				if option, ok := strings.CutPrefix(word, "-J"); ok {
					options = append(options, option)
				}
			}
		}
	}
	options = append(options, environmentOptions(environment, "_JAVA_OPTIONS")...)
	return archiveOption(withFiles(options))
}

// archiveOption gives the option that has an archive written, as the JVM reads them one after another.
func archiveOption(options []string) string {
	var shared, dynamic, automatic, mode, cache string // the option, where it is on
	for _, o := range options {
		name, value, _ := strings.Cut(o, "=")
		switch {
		case strings.HasPrefix(o, "-Xshare:"):
			shared = onlyIf(o == "-Xshare:dump", o)
		case name == "-XX:ArchiveClassesAtExit":
			dynamic = onlyIf(value != "", o)
		case o == "-XX:+RecordDynamicDumpInfo", o == "-XX:-RecordDynamicDumpInfo":
			dynamic = onlyIf(o[4] == '+', o)
		case o == "-XX:+AutoCreateSharedArchive", o == "-XX:-AutoCreateSharedArchive":
			automatic = onlyIf(o[4] == '+', o)
		case name == "-XX:AOTMode":
			mode = onlyIf(value == "record" || value == "create", o)
		case name == "-XX:AOTCacheOutput":
			cache = onlyIf(value != "", o)
		}
	}
	for _, o := range []string{shared, dynamic, automatic, mode, cache} {
		if o != "" {
			return o
		}
	}
	return ""
}

func onlyIf(on bool, option string) string {
	if on {
		return option
	}
	return ""
}

// environmentOptions are those of a variable, as the JVM splits them (Arguments::parse_options_buffer): white space
// ends a word, except between two quotes of one kind.
func environmentOptions(environment []string, variable string) []string {
	return optionWords(Variable(environment, variable))
}

func optionWords(text string) (words []string) {
	var word strings.Builder
	quote, begun := rune(0), false
	for _, c := range text {
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote, begun = c, true
		case quote == 0 && strings.ContainsRune(" \t\n\v\f\r", c):
			if begun {
				words = append(words, word.String())
			}
			word.Reset()
			begun = false
		default:
			word.WriteRune(c)
			begun = true
		}
	}
	if begun {
		words = append(words, word.String())
	}
	return words
}

// withArgument are the options of java that have their argument in the word behind them (java(1)).
var withArgument = []string{"-cp", "-classpath", "--class-path", "-p", "--module-path", "--upgrade-module-path",
	"--add-modules", "--limit-modules", "--enable-native-access", "--add-exports", "--add-opens", "--add-reads",
	"--patch-module", "--describe-module", "-d", "--source"}

// javaOptions are the words before the main class, those of argument files in their places; files name no others.
func javaOptions(words []string) (options []string) {
	files, argument := true, false // whether files are read; the next word belongs to the one before
	for _, word := range words {
		read := []string{word}
		if file, ok := strings.CutPrefix(word, "@"); ok && files && !strings.HasPrefix(file, "@") {
			read = fileWords(file)
		}
		for _, option := range read {
			switch {
			case argument:
				argument = false
			case option == "-jar" || option == "-m" || option == "--module" || !strings.HasPrefix(option, "-"):
				return options // what follows is the program's
			default:
				options = append(options, option)
				files = files && option != "--disable-@files"
				argument = slices.Contains(withArgument, option)
			}
		}
	}
	return options
}

// fileWords are those of an argument file (java(1), "java Command-Line Argument Files"): comments begin with #, a
// backslash escapes inside quotes and joins lines. Nothing where it cannot be read: java says so.
func fileWords(name string) (words []string) {
	const space = " \t\f\n\r"
	text := readSmall(name)
	var word strings.Builder
	quote, begun := byte(0), false
	end := func() {
		if begun {
			words = append(words, word.String())
		}
		word.Reset()
		begun = false
	}
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '\\' && i+1 < len(text) && strings.IndexByte("\n\r", text[i+1]) >= 0:
			for i+1 < len(text) && strings.IndexByte(space, text[i+1]) >= 0 {
				i++ // it goes on in the next line, without what that begins with
			}
		case c == '\\' && i+1 < len(text) && quote != 0:
			i++
			word.WriteByte(text[i])
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote, begun = c, true
		case quote == 0 && strings.IndexByte(space, c) >= 0:
			end()
		case quote == 0 && !begun && c == '#':
			for i+1 < len(text) && text[i+1] != '\n' {
				i++
			}
		default:
			word.WriteByte(c)
			begun = true
		}
	}
	end()
	return words
}

// withFiles gives options with those that the JVM reads from files in their places.
func withFiles(options []string) (all []string) {
	for _, o := range options {
		all = append(all, o)
		if file, ok := strings.CutPrefix(o, "-XX:VMOptionsFile="); ok {
			all = append(all, optionWords(readSmall(file))...)
		}
		if file, ok := strings.CutPrefix(o, "-XX:Flags="); ok {
			for _, flag := range optionWords(readSmall(file)) {
				all = append(all, "-XX:"+flag)
			}
		}
	}
	return all
}

// readSmall reads a file of options; "" if it is none.
func readSmall(name string) string {
	const most = 1 << 20
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > most {
		return ""
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return ""
	}
	return string(text)
}
