package session_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"mallard/internal/abi"
	"mallard/internal/payload"
	"mallard/internal/profile"
	"mallard/internal/transport"
)

// class is a class that allocates.
func class(t *testing.T) []byte {
	t.Helper()
	const name = "Counters"
	classes, err := payload.Portable()
	must(t, err)
	m := transport.Class{Loader: 1, Name: "mallard/portable/" + name, File: classes[name]}
	if m.File == nil {
		t.Fatalf("no class %s", name)
	}
	return m.Encode()
}

func runtime() []byte {
	m := transport.Runtime{
		ArrayBase1: 16, ArrayBase2: 16, ArrayBase4: 16, ArrayBase8: 16, ArrayBaseRef: 16,
		Reference: 4, Alignment: 8, Klass: 16, LayoutHelper: 8,
	}
	return m.Encode()
}

func thread(block uint32, name string) []byte {
	m := transport.Thread{Thread: transport.ThreadBlock{Block: block, Name: name}}
	return m.Encode()
}

func threadEnd(block uint32) []byte {
	m := transport.ThreadEnd{Thread: transport.ThreadBlock{Block: block, Name: "worker"}, Allocated: 1 << 20}
	return m.Encode()
}

func death() []byte {
	main := transport.ThreadBlock{Block: 1, Name: "main"}
	m := transport.Death{Threads: []transport.LiveThread{{Thread: main, Allocated: 4096}}}
	return m.Encode()
}

// TestWatched ends a JVM whose threads could not be stopped: the snapshot that came with their stacks is the last,
// whatever they count afterwards, also if the JVM is killed before the agent says whether they ran.
func TestWatched(t *testing.T) {
	for _, test := range []struct {
		name   string
		killed bool
		ran    uint32
		losses int
	}{{name: "stood still"}, {name: "ran", ran: 2, losses: 1}, {name: "killed", killed: true, losses: 1}} {
		t.Run(test.name, func(t *testing.T) {
			a := begin(t)
			a.send(frame(abi.Runtime, runtime()))
			a.send(frame(abi.Thread, thread(1, "main")))
			a.ask(abi.Class, class(t))
			a.count(1, 3)
			main := transport.ThreadBlock{Block: 1, Name: "main"}
			m := transport.Death{Threads: []transport.LiveThread{{Thread: main}}, Watched: 1}
			a.ask(abi.Death, m.Encode())
			a.count(1, 1000)
			if !test.killed {
				w := transport.Watched{Ran: test.ran}
				a.ask(abi.Watched, w.Encode())
			}
			p := a.end()
			for _, site := range p.Sites {
				if site.Amount.Objects != 3 {
					t.Errorf("%s.%s made %d objects", site.Class, site.Method, site.Amount.Objects)
				}
			}
			if p.Complete == test.killed || len(p.Sites) == 0 || len(p.Losses) != test.losses {
				t.Errorf("complete: %v, %d sites, losses %v", p.Complete, len(p.Sites), p.Losses)
			}
		})
	}
}

// TestConversation is a whole life of a JVM: the class comes back with counters, and what its thread counts is
// recorded.
func TestConversation(t *testing.T) {
	a := begin(t)
	a.send(frame(abi.Runtime, runtime()))
	a.send(frame(abi.Thread, thread(1, "main")))
	if original := class(t); len(a.ask(abi.Class, original)) <= len(original)/2 {
		t.Error("the class was not instrumented")
	}
	a.count(1, 3)
	a.ask(abi.Death, death())
	p := a.end()
	if !p.Complete || p.Reason != "the JVM ended" || len(p.Losses) != 0 {
		t.Errorf("complete: %v (%s), %v", p.Complete, p.Reason, p.Losses)
	}
	var objects int64
	for _, site := range p.Sites {
		if site.Amount.Objects != 3 || site.Class != "mallard.portable.Counters" {
			t.Errorf("%s.%s made %d objects", site.Class, site.Method, site.Amount.Objects)
		}
		objects += site.Amount.Objects
	}
	if objects == 0 || !slices.ContainsFunc(p.Threads, func(thread profile.Thread) bool {
		return thread.Name == "main"
	}) {
		t.Errorf("%d objects, threads %v", objects, p.Threads)
	}
}

// TestOrders has messages come in orders in which no JVM should send them, and twice. The session lives through all of
// them.
func TestOrders(t *testing.T) {
	type message struct {
		kind    abi.Type
		payload []byte
		answers bool
	}
	messages := []message{
		{abi.Runtime, runtime(), false}, {abi.Class, class(t), true}, {abi.Thread, thread(2, "worker"), false},
		{abi.ThreadEnd, threadEnd(2), false}, {abi.Death, death(), true},
	}
	for seed := range uint64(40) {
		random := rand.New(rand.NewPCG(seed, 1))
		order := append(random.Perm(len(messages)), random.Perm(len(messages))...)
		a := begin(t)
		died := false
		for _, i := range order {
			m := messages[i]
			a.send(frame(m.kind, m.payload))
			if m.answers {
				if kind, b := a.answer(); kind != abi.OK {
					t.Fatalf("order %v: %v is answered by %v %s", order, m.kind, kind, b)
				}
			}
			died = died || m.kind == abi.Death
		}
		if p := a.end(); p.Complete != died {
			t.Errorf("order %v: complete: %v (%s)", order, p.Complete, p.Reason)
		}
	}
}

// TestCutOff ends the agent in the middle of what it says, at many places: the recording is whole up to there.
func TestCutOff(t *testing.T) {
	said := slices.Concat(frame(abi.Runtime, runtime()), frame(abi.Thread, thread(1, "main")),
		frame(abi.Class, class(t)))
	bounds := []int{0, len(frame(abi.Runtime, runtime())), len(said) - len(frame(abi.Class, class(t))), len(said)}
	cuts := slices.Clone(bounds)
	for cut := 1; cut < len(said); cut += 1 + cut/4 {
		cuts = append(cuts, cut)
	}
	for _, cut := range cuts {
		a := begin(t)
		a.send(said[:cut])
		want := "unexpected EOF"
		if slices.Contains(bounds, cut) {
			want = "the JVM was killed"
		}
		if p := a.end(); p.Complete || !strings.Contains(p.Reason, want) {
			t.Errorf("cut after %d bytes: complete: %v (%s), want %s", cut, p.Complete, p.Reason, want)
		}
	}
}

// TestGarbage sends what no agent sends: the session ends with a reason, and what was recorded is whole.
func TestGarbage(t *testing.T) {
	type garbage struct {
		name, want string
		said       []byte
	}
	tests := []garbage{
		{"a type that there is not", "unexpected frame", frame(9999, nil)},
		{"a message too long", "exceeds the limit", []byte{byte(abi.Class), 0, 0, 0, 0xff, 0xff, 0xff, 0xff}},
		{"a block that there is not", "block 4 of 4", frame(abi.Thread, thread(blocks, "main"))},
		{"the end of a thread in such a block", "block 4294967295 of 4", frame(abi.ThreadEnd, threadEnd(1<<32-1))},
		{"hello again", "unexpected frame", frame(abi.Hello, nil)},
	}
	for _, m := range []struct {
		kind    abi.Type
		payload []byte
	}{
		{abi.Runtime, runtime()}, {abi.Class, class(t)}, {abi.Thread, thread(1, "main")}, {abi.ThreadEnd, threadEnd(1)},
		{abi.Death, death()},
	} {
		short := m.payload[:len(m.payload)-1]
		tests = append(tests, garbage{m.kind.String() + " too short", "unexpected EOF", frame(m.kind, short)},
			garbage{m.kind.String() + " empty", "unexpected EOF", frame(m.kind, nil)})
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			a := begin(t)
			a.send(test.said)
			if p := a.end(); p.Complete || !strings.Contains(p.Reason, test.want) {
				t.Errorf("complete: %v (%s), want %s", p.Complete, p.Reason, test.want)
			}
		})
	}
	for seed := range byte(40) {
		random := rand.NewChaCha8([32]byte{seed})
		said := make([]byte, 1000)
		random.Read(said)
		for i := 1; i < len(said); i += 100 { // types and lengths that there are
			copy(said[i:], frame(abi.Type(said[i]%40), said[:said[i+1]%20]))
		}
		a := begin(t)
		a.send(said[1:])
		if p := a.end(); p.Reason == "" {
			t.Errorf("garbage %d: no reason", seed)
		}
	}
}

// TestRefused has sessions that must not begin.
func TestRefused(t *testing.T) {
	edited := func(edit func(*transport.Hello)) []byte {
		m := hello()
		edit(&m)
		return frame(abi.Hello, m.Encode())
	}
	for want, first := range map[string][]byte{
		"version":              edited(func(m *transport.Hello) { m.Version++ }),
		"older than JDK 17":    edited(func(m *transport.Hello) { m.Feature = 11 }),
		"at most 65536":        edited(func(m *transport.Hello) { m.Blocks = abi.MaxBlocks + 1 }),
		"blocks of 5 bytes":    edited(func(m *transport.Hello) { m.BlockBytes = 5 }),
		"the first frame is":   frame(abi.Class, class(t)),
		"exceeds the limit of": {byte(abi.Hello), 0, 0, 0, 0xff, 0xff, 0xff, 0x7f},
	} {
		a, err := newAgent(t, first)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
			if err == nil {
				a.end()
			}
		}
	}
}

// TestUnanswered has the agent say what it did not wait for: each loss is named by what lacked an answer, and a class
// that was missed by its name.
func TestUnanswered(t *testing.T) {
	a := begin(t)
	a.send(frame(abi.Runtime, runtime()))
	a.ask(abi.Class, class(t)) // that the JVM does not take
	missed := transport.ClassMissed{Loader: 1, Name: "mallard/portable/Counters"}
	a.send(frame(abi.ClassMissed, missed.Encode()))
	missed.Name = "other/Class"
	a.send(frame(abi.ClassMissed, missed.Encode()))
	missed.Name, missed.Flags = "", abi.ClassHidden
	a.send(frame(abi.ClassMissed, missed.Encode()))
	for request, count := range map[abi.Type]uint32{abi.Class: 2, abi.HiddenClass: 1, abi.CodeLocation: 7, 9999: 3} {
		m := transport.Unanswered{Request: uint32(request), Count: count}
		a.send(frame(abi.Unanswered, m.Encode()))
	}
	a.ask(abi.Death, death())
	p := a.end()
	var counts []uint64
	for _, loss := range p.Losses {
		if loss.Kind != "unanswered" {
			t.Errorf("%s: %s", loss.Kind, loss.Detail)
		}
		counts = append(counts, loss.Count)
	}
	slices.Sort(counts)
	if !p.Complete || !slices.Equal(counts, []uint64{1, 2, 7}) || len(p.Skipped) != 2 {
		t.Errorf("complete: %v, losses %v, skipped %v", p.Complete, p.Losses, p.Skipped)
	}
}

// TestLeft ends a JVM that says more instead of waiting for the last snapshot: that is complete, and says that threads
// may have run on.
func TestLeft(t *testing.T) {
	a := begin(t)
	a.send(frame(abi.Runtime, runtime()))
	a.ask(abi.Class, class(t))
	a.count(1, 3)
	a.send(frame(abi.Thread, thread(1, "main")))
	loss := transport.Loss{Kind: "after", Count: 1}
	a.send(slices.Concat(frame(abi.Death, death()), frame(abi.Loss, loss.Encode())))
	p := a.end()
	if !p.Complete || len(p.Sites) == 0 || len(p.Losses) != 1 || p.Losses[0].Kind != "live-frames" {
		t.Errorf("complete: %v (%s), %d sites, losses %v", p.Complete, p.Reason, len(p.Sites), p.Losses)
	}
}
