package profile

import "testing"

func TestExecuted(t *testing.T) {
	p := fold(t, process+`
ClassDef Name="demo/Main" Counters=3
  MethodDef Name="run" Descriptor="()V" Fallback="with optimal it is too long"
    SiteDef BCI=1 Type="[I" Kind=ArrayConst Length=3
    SiteDef BCI=9 Type="[I" Kind=ArrayConst Length=3
    CounterDef Semantics=[0:1 1:1]
  MethodDef Name="walk" Descriptor="()V"
    SiteDef BCI=1 Type="[I" Kind=ArrayConst Length=3
    CounterDef Counter=1 Semantics=[0:1]
  MethodDef Name="never" Descriptor="()V" Fallback="with optimal it is too long"
    SiteDef BCI=1 Type="[I" Kind=ArrayConst Length=3
    CounterDef Counter=2 Semantics=[0:1]
Snapshot Thread=1 Values=[0:5 1:30]
End Complete=true`)
	if want := (Executed{Methods: 2, Fallback: 1, FallbackObjects: 10}); p.Executed != want {
		t.Errorf("%+v, want %+v", p.Executed, want)
	}
}
