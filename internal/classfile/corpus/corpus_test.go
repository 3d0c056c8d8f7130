package corpus

import (
	"errors"
	"strings"
	"testing"
)

// Each JDK has java.lang.Object, and all that is visited are class files.
func TestJDKs(t *testing.T) {
	for _, jdk := range JDKs() {
		object, classes := false, 0
		err := jdk.Each(func(name string, class []byte) error {
			if !strings.HasPrefix(string(class), "\xCA\xFE\xBA\xBE") {
				return errors.New(name + " is no class file")
			}
			object = object || name == "java.base/java/lang/Object.class"
			classes++
			return nil
		})
		if err != nil || !object || classes < 1000 {
			t.Errorf("%s: %d classes, Object %v, error %v", jdk.Name, classes, object, err)
		}
	}
}

// Each stops at the first error and returns it.
func TestEachStops(t *testing.T) {
	stop := errors.New("stop")
	for _, archive := range All(t) {
		visits := 0
		err := archive.Each(func(string, []byte) error {
			visits++
			return stop
		})
		if visits == 0 && err == nil {
			continue // a jar without classes
		}
		if visits != 1 || !errors.Is(err, stop) {
			t.Errorf("%s: %d visits, error %v", archive.Name, visits, err)
		}
	}
}
