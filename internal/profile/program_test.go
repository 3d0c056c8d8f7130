package profile

import (
	"strings"
	"testing"
)

func TestMainProgram(t *testing.T) {
	for command, want := range map[string]string{
		"":                                      "",
		"java -cp classes -Xmx1g demo.Main 100": "demo.Main 100",
		"/usr/lib/jvm/bin/java -jar lib/app.jar -v":                            "lib/app.jar -v",
		"java --add-opens java.base/java.lang=ALL-UNNAMED -m app/org.foo.Main": "app/org.foo.Main",
		"java @args":                   "",
		"java @args Main":              "Main",
		"java -jar":                    "",
		"java -version":                "",
		"/jdk/bin/javac -d out A.java": "javac -d out A.java",
		"java --enable-preview A.java": "A.java",
	} {
		main, arguments := MainProgram(strings.Fields(command))
		if got := strings.TrimSpace(main + " " + strings.Join(arguments, " ")); got != want {
			t.Errorf("%q: %q, want %q", command, got, want)
		}
	}
}
