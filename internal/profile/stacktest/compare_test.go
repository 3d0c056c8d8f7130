package stacktest

import (
	"bytes"
	"slices"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/profile"
	"mallard/internal/profile/profiletest"
)

// TestCompare: a recording equals an oracle that saw the same, and none that saw another line, caller, class, order or
// number.
func TestCompare(t *testing.T) {
	recording := profiletest.MustEncode(t, profiletest.Contexts)
	p, err := profile.Fold(bytes.NewReader(recording))
	if err != nil {
		t.Fatal(err)
	}
	all := Options{Takes: func([]string) bool {
		return true
	}, Allocates: func(*profile.Site) bool { return true }, Made: func(jvmtest.Stack) bool { return true }}
	same := Compare(seenAs(p), p, all)
	if len(same.Differences) != 0 || same.Stacks < 5 || same.Objects == 0 {
		t.Fatalf("%+v", same)
	}
	for _, change := range []struct {
		name   string
		change func(s *jvmtest.Stacks)
	}{
		{"line", func(s *jvmtest.Stacks) { s.Frames[len(s.Frames)-1].Text += "0" }},
		{"caller left out", func(s *jvmtest.Stacks) {
			i := slices.IndexFunc(s.Frames, func(f jvmtest.Frame) bool { return f.Caller >= 0 })
			s.Frames[i].Caller = s.Frames[s.Frames[i].Caller].Caller
		}},
		{"order", func(s *jvmtest.Stacks) {
			i := slices.IndexFunc(s.Frames, func(f jvmtest.Frame) bool {
				return f.Caller >= 0 && s.Frames[f.Caller].Text != f.Text
			})
			caller := s.Frames[i].Caller
			s.Frames[i].Text, s.Frames[caller].Text = s.Frames[caller].Text, s.Frames[i].Text
		}},
		{"class", func(s *jvmtest.Stacks) {
			stack, counts := first(s)
			delete(s.Made, stack)
			stack.Class += "[]"
			s.Made[stack] = counts
		}},
		{"objects", func(s *jvmtest.Stacks) {
			stack, counts := first(s)
			counts.Objects++
			s.Made[stack] = counts
		}},
		{"bytes", func(s *jvmtest.Stacks) {
			stack, counts := first(s)
			counts.Bytes += 8
			s.Made[stack] = counts
		}},
		{"not seen", func(s *jvmtest.Stacks) {
			stack, _ := first(s)
			delete(s.Made, stack)
		}},
	} {
		seen := seenAs(p)
		change.change(seen)
		if got := Compare(seen, p, all); got.Different == 0 || len(got.Differences) == 0 || got.Stacks >= same.Stacks {
			t.Errorf("%s: %+v", change.name, got)
		}
	}
}

// TestCalled: without line numbers, overloads are one key. Where one makes an array itself, and another has it made
// by a copy, the array's class is not that of a bytecode (org.hsqldb.GroupSet.evaluate).
func TestCalled(t *testing.T) {
	seen := &jvmtest.Stacks{Frames: []jvmtest.Frame{{Caller: -1, Text: "Main.evaluate:-1"},
		{Caller: 0, Text: "Main.evaluate:-1"}}, Made: map[jvmtest.Stack]jvmtest.Counts{}}
	seen.Made[jvmtest.Stack{Class: "Main[]", Instruction: "anewarray", Frame: 1}] = jvmtest.Counts{Objects: 1}
	key := made{"Main.evaluate:-1", "Main[]"}
	if !bytecodesOf(seen)[key] {
		t.Fatal("a bytecode's array is not one")
	}
	caller := 0
	for _, frame := range []string{"java.util.Arrays.copyOfRange:3", "java.util.Arrays.copyOfRange:2",
		"java.lang.reflect.Array.newInstance:1", "java.lang.reflect.Array.newArray:-2"} {
		seen.Frames = append(seen.Frames, jvmtest.Frame{Caller: caller, Text: frame})
		caller = len(seen.Frames) - 1
	}
	seen.Made[jvmtest.Stack{Class: "Main[]", Instruction: "native", Frame: caller}] = jvmtest.Counts{Objects: 1}
	if bytecodesOf(seen)[key] {
		t.Error("an array that a call makes is taken for a bytecode's")
	}
}

// first gives the stack of the first class, and of the first frame of these.
func first(s *jvmtest.Stacks) (jvmtest.Stack, jvmtest.Counts) {
	var least jvmtest.Stack
	for stack := range s.Made {
		if least.Class == "" || stack.Class < least.Class || stack.Class == least.Class && stack.Frame < least.Frame {
			least = stack
		}
	}
	return least, s.Made[least]
}

// seenAs makes what an oracle would have seen of a recording that is right.
func seenAs(p *profile.Profile) *jvmtest.Stacks {
	s := &jvmtest.Stacks{Made: map[jvmtest.Stack]jvmtest.Counts{}}
	for sample := range p.Samples(profile.Filter{}) {
		if sample.Amount.Objects == 0 {
			continue
		}
		caller := -1
		for _, f := range slices.Backward(p.Stack(sample.Site, sample.Context)) {
			frame := jvmtest.Frame{Caller: caller, Text: text(f)}
			if caller = slices.Index(s.Frames, frame); caller < 0 {
				s.Frames = append(s.Frames, frame)
				caller = len(s.Frames) - 1
			}
		}
		stack := jvmtest.Stack{Class: sample.Site.Type, Instruction: "new", Frame: caller}
		counts := s.Made[stack]
		s.Made[stack] = jvmtest.Counts{Objects: counts.Objects + sample.Amount.Objects, Bytes: counts.Bytes +
			sample.Amount.Bytes}
	}
	return s
}
