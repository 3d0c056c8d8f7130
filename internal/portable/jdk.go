package portable

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// CheckPackage says why a package of the JDK cannot count; nil if it may.
func CheckPackage(name string) error {
	switch {
	case name == "java.lang" || strings.HasPrefix(name, "java.lang."):
		return errors.New("the counters themselves use that package")
	case !strings.HasPrefix(name, "java.") && !strings.HasPrefix(name, "javax."):
		return errors.New("only packages java.* and javax.* of java.base can be counted")
	}
	return nil
}

// extractor is the class of the runtime that reads classes out of a JDK.
const extractor = "Extract"

// jdkClasses gives the classes of packages of java.base, as the JDK of a launcher has them.
func jdkClasses(launcher string, class []byte, packages []string) (*input, error) {
	folder, err := os.MkdirTemp("", "mallard-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, compiledPackage, extractor+".class")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	if err := os.WriteFile(path, class, 0o600); err != nil {
		return nil, err
	}
	command := exec.CommandContext(context.Background(), launcher,
		append([]string{"-cp", folder, strings.ReplaceAll(compiledPackage, "/", ".") + extractor}, packages...)...)
	command.Env = slices.DeleteFunc(os.Environ(), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return name == "JAVA_TOOL_OPTIONS" || name == "JDK_JAVA_OPTIONS" || name == "_JAVA_OPTIONS"
	})
	var words bytes.Buffer
	classes := limited{most: maxPackages}
	command.Stdout, command.Stderr = &classes, &words
	if err := command.Run(); err != nil {
		var failed *exec.ExitError
		if said := strings.TrimSpace(words.String()); errors.As(err, &failed) && said != "" {
			err = errors.New(said)
		}
		return nil, fmt.Errorf("%s: %w", launcher, err)
	}
	return openJar(bytes.NewReader(classes.b), int64(len(classes.b)))
}

// limited is a buffer.
type limited struct {
	b    []byte
	most int
}

func (l *limited) Write(b []byte) (int, error) {
	if len(l.b)+len(b) > l.most {
		return 0, fmt.Errorf("more than %d bytes", l.most)
	}
	l.b = append(l.b, b...)
	return len(b), nil
}

// moveGate gives the classes of the runtime for java.base, where counting begins later.
func moveGate(runtime map[string][]byte) error {
	late, err := renamed(runtime["LateGate"], map[string]string{compiledPackage + "LateGate": compiledPackage + "Gate"},
		nil)
	runtime["Gate"] = late
	return err
}
