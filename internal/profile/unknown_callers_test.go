package profile

import (
	"fmt"
	"strings"
	"testing"
)

// TestUnknownCallers: of 1,000,000 objects 1,000 may have no known callers without a word.
func TestUnknownCallers(t *testing.T) {
	const counts = process + `
ClassSize Name="demo/Point" Bytes=24
ClassDef Name="demo/Main" Counters=2
  MethodDef Name="run" Descriptor="()V" Number=1
    SiteDef BCI=0 Line=3 Type="demo/Point"
    CounterDef Counter=0 Semantics=[0:1]
  MethodDef Name="hidden" Descriptor="()V"
    SiteDef BCI=0 Line=7 Type="demo/Point"
    CounterDef Counter=1 Semantics=[0:1]
Contexts Nodes=[1:0:1:-1:-1]
`
	for unknown, said := range map[int]bool{0: false, 90: false, 990: false, 1010: true, 500_000: true} {
		p := fold(t, counts+fmt.Sprintf("Snapshot Thread=1 Full=true Values=[1:%d]\n", unknown)+
			fmt.Sprintf("ContextCounts Thread=1 Full=true Values=[1:0:%d]\n", 1_000_000-unknown))
		var detail string
		for _, loss := range p.Losses {
			if loss.Kind == "callers" {
				detail = loss.Detail
			}
		}
		if (detail != "") != said || said && !strings.HasSuffix(detail, "made most: demo.Main.hidden") {
			t.Errorf("%d of %d: %q", unknown, p.Total.Objects, detail)
		}
	}
}
