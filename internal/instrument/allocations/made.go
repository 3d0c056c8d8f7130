package allocations

import (
	"strings"

	"mallard/internal/bytecode"
)

// appendMade appends what the call at instruction i makes, by type, where the code at hand tells the type: else it is
// what the code takes it for.
func (c *calls) appendMade(sites []Site, made Call, code *bytecode.Code, i int) ([]Site, error) {
	switch made {
	case MakesClone:
		class, _, _, err := c.class.Pool.Ref(code.Insns[i].Pool())
		return append(sites, Site{Kind: ArrayLen, Type: class}), err
	case NamesClass, LinksConcat, LinksRecord, LinksLambda:
		return sites, nil
	case MakesLambda:
		return append(sites, Site{Kind: Called, Type: c.name + "$$Lambda"}), nil
	case MakesString, MakesOwnString:
		return append(sites, Site{Kind: Instance, Type: "java/lang/String"}, Site{Kind: ArrayLen, Type: "[B"}), nil
	case CopiesString:
		return append(sites, Site{Kind: Instance, Type: "java/lang/String"}), nil
	case TakesBytes:
		return append(sites, Site{Kind: ArrayLen, Type: "[B"}), nil
	case TakesStrings:
		return append(sites, Site{Kind: ArrayLen, Type: "[B"}, Site{Kind: Instance, Type: "java/lang/String"}), nil
	case MakesReplaced:
		_, _, descriptor, err := c.class.Pool.Ref(code.Insns[i].Pool())
		return append(sites, Site{Kind: Multi, Type: descriptor[strings.LastIndexByte(descriptor, ')')+1:]}), err
	case Stops:
		return append(sites, Site{Kind: Multi, Type: stackChunk}), nil
	case MakesFresh:
		return append(sites, Site{Kind: Multi, Type: "[I"}), nil
	case MakesReturned:
		_, _, descriptor, err := c.class.Pool.Ref(code.Insns[i].Pool())
		returned := descriptor[strings.IndexByte(descriptor, ')')+1:]
		if returned[0] == '[' {
			sites = append(sites, Site{Kind: Multi, Type: returned})
		}
		if returned == "L"+accessContext+";" {
			sites = append(sites, Site{Kind: Multi, Type: accessContext},
				Site{Kind: Multi, Type: "[Ljava/security/ProtectionDomain;"})
		}
		if strings.HasSuffix(returned, "Ljava/lang/String;") {
			sites = append(sites, Site{Kind: Multi, Type: "java/lang/String"}, Site{Kind: Multi, Type: "[B"})
		}
		return sites, err
	case MakesMembers:
		_, _, descriptor, err := c.class.Pool.Ref(code.Insns[i].Pool())
		array := descriptor[strings.IndexByte(descriptor, ')')+1:]
		// in this order, as the runtime class has them
		for _, made := range [...]string{array, array[2 : len(array)-1], "[Ljava/lang/Class;", "[B",
			"java/lang/String"} {
			sites = append(sites, Site{Kind: Multi, Type: made})
		}
		return sites, err
	case MakesBacktrace:
		for _, part := range [...]string{"[Ljava/lang/Object;", "[S", "[I", "[J"} { // as the runtime class has them
			sites = append(sites, Site{Kind: Multi, Type: part})
		}
		return sites, nil
	}
	site := Site{Kind: Called, Type: "java/lang/Object"}
	switch made {
	case MakesNested, MayClone, MaySuperClone, MakesHandled, MakesForCaller, MakesBox, MakesInvoked, CallsHandle:
		site.Kind = Multi
	case MakesArray:
		site.Kind, site.Type = ArrayLen, "[Ljava/lang/Object;"
	}
	if next := i + 1; next < len(code.Insns) && code.Insns[next].Op == bytecode.OpCheckcast {
		class, err := c.class.Pool.ClassName(code.Insns[next].Pool())
		if err != nil {
			return sites, err
		}
		site.Type = class
	} else if code.Insns[i].Op == bytecode.OpInvokespecial {
		site.Type = c.name // super.clone()
	}
	return append(sites, site), nil
}
