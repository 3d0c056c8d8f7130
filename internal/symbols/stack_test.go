package symbols

import (
	"bytes"
	"strconv"
	"strings"
	"testing"

	"mallard/internal/profile/profiletest"
	"mallard/internal/trace"
)

func TestStack(t *testing.T) {
	recording := profiletest.MustEncode(t, profiletest.Contexts+"Contexts Nodes=[900:899:3:1:2 901:900:99:4:5]\n")
	d, err := Read(bytes.NewReader(recording))
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[trace.ContextID]string{
		16: "demo.App.main:-1",
		44: "demo.App.walk:-1 demo.App.walk:33 demo.App.walk:33 demo.App.main:13",
		68: "java.lang.Thread.run:840", // a lambda form
		84: "java.util.HashMap.newNode:-1 java.util.HashMap.put:613 " +
			"jdk.internal.reflect.NativeMethodAccessorImpl.invoke0:-1 demo.App.run:21 java.lang.Thread.run:840",
		901: "[unknown]:-1 demo.App.main:5 [unknown]:-1",
		17:  "none",
		0:   "none",
	} {
		stack, ok := d.Stack(id)
		var lines []string
		for _, f := range stack {
			lines = append(lines, f.Title()+":"+strconv.Itoa(int(f.Line)))
		}
		if !ok {
			lines = []string{"none"}
		}
		if got := strings.Join(lines, " "); got != want {
			t.Errorf("%d is %s, want %s", id, got, want)
		}
	}
	if len(d.Contexts.Nodes) != 22 {
		t.Errorf("%d contexts", len(d.Contexts.Nodes))
	}
	// What is there of a recording that still grows.
	definitions := bytes.LastIndex(recording, []byte("\x89BLK")) // end where the last block of counts begins
	if d, err = Read(bytes.NewReader(recording[:definitions-9])); err != nil || len(d.Contexts.Nodes) != 20 {
		t.Errorf("%v contexts, %v", len(d.Contexts.Nodes), err)
	}
	if d, err = Read(strings.NewReader("")); err != nil || len(d.Contexts.Nodes) != 0 {
		t.Errorf("of nothing %v, %v", d, err)
	}
	if _, err = Read(strings.NewReader(strings.Repeat("x", 1000))); err == nil {
		t.Error("no recording, no error")
	}
}

func TestDecodeTransactions(t *testing.T) {
	d, err := Read(bytes.NewReader(profiletest.MustEncode(t, profiletest.Transactions)))
	if err != nil {
		t.Fatal(err)
	}
	stack, ok := d.Stack(9)
	var frames []string
	for _, f := range stack {
		frames = append(frames, f.Title())
	}
	if got := strings.Join(frames, " "); !ok || got != "demo.Main.helper demo.Main.run [order]" {
		t.Error(got)
	}
}
