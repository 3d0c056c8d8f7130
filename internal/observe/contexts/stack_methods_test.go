package contexts

import (
	"testing"

	"mallard/internal/abi"
	"mallard/internal/classes"
	"mallard/internal/trace"
	"mallard/internal/transport"
)

// TestLoadersGone: methods of classes whose loader is gone are forgotten, those of others keep their numbers.
func TestLoadersGone(t *testing.T) {
	c := new(Contexts)
	const loaders = 100
	for loader := range trace.LoaderID(loaders) {
		for _, name := range []string{"one", "two"} {
			c.learn([]transport.StackMethod{{Class: transport.ClassKey{Loader: uint32(loader), Name: "LWork;"},
				Name: name, Descriptor: "()V", Flags: abi.MethodNative}})
		}
	}
	var gone []trace.LoaderID
	for loader := range trace.LoaderID(loaders) {
		if loader%10 != 0 {
			gone = append(gone, loader)
		}
	}
	c.LoadersGone(gone)
	for loader := range trace.LoaderID(loaders) {
		for i, name := range []string{"one", "two"} {
			m := c.agents.get(uint32(loader)*2 + uint32(i))
			switch {
			case loader%10 != 0 && m != nil:
				t.Errorf("%s of loader %d is known", name, loader)
			case loader%10 == 0 && (m == nil ||
				m.key != methodKey{class: classes.Key{Loader: loader, Name: "Work"}, method: name + "()V"}):
				t.Errorf("%s of loader %d is %+v", name, loader, m)
			}
		}
	}
	if m := c.agents.get(2 * loaders); m != nil {
		t.Errorf("a number that was not given is of %+v", m)
	}
	if n := len(c.agents.byLoader); n != loaders/10-1 { // the boot loader does not go
		t.Errorf("methods of %d loaders are kept", n)
	}
}
