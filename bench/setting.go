package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mallard/internal/jvmtest"
)

// A setting is what runs a workload: a JDK and a collector.
type setting struct {
	jdk       jvmtest.JDK
	collector string // of collectors
}

func (s setting) String() string { return fmt.Sprintf("%v, %s", s.jdk, s.collector) }

// collectors are named as the JVM's options name them; the first is the default.
var collectors = []string{"G1", "Parallel", "Serial"}

// heap fixes what would otherwise depend on the machine's memory.
var heap = []string{"-Xms1g", "-Xmx1g"}

// options of the JVM. The collector is named, because small machines choose another.
func (s setting) options() []string {
	return append(slices.Clone(heap), "-XX:+Use"+s.collector+"GC", "-Djava.awt.headless=true")
}

// selectCollectors reads a list of names, in any case.
func selectCollectors(list string) ([]string, error) {
	var selected []string
	for name := range strings.SplitSeq(list, ",") {
		i := slices.IndexFunc(collectors, func(c string) bool { return strings.EqualFold(c, name) })
		if i < 0 {
			return nil, fmt.Errorf("no collector is called %q; there are %s", name, strings.Join(collectors, ", "))
		}
		selected = append(selected, collectors[i])
	}
	return selected, nil
}

// selectJDKs reads a list of feature releases; "" is the oldest that is installed.
func selectJDKs(installed []jvmtest.JDK, list string) ([]jvmtest.JDK, error) {
	if list == "" {
		return installed[:1], nil
	}
	var selected []jvmtest.JDK
	for release := range strings.SplitSeq(list, ",") {
		feature, err := strconv.Atoi(release)
		i := slices.IndexFunc(installed, func(jdk jvmtest.JDK) bool { return jdk.Feature == feature })
		if err != nil || i < 0 {
			return nil, fmt.Errorf("JDK %s is not installed", release)
		}
		selected = append(selected, installed[i])
	}
	return selected, nil
}

// A settingKey is a setting as figures know it.
type settingKey struct{ jdk, collector string }

func (k settingKey) String() string { return fmt.Sprintf("JDK %s, %s", k.jdk, k.collector) }

// file is what stands for it in the names of its results.
func (k settingKey) file() string { return k.jdk + "-" + k.collector }
