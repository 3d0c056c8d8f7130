package transactions

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"mallard/internal/classfile"
	"mallard/internal/instrument"
	"mallard/internal/profile"
)

// A Spec is one of what users write.
type Spec struct {
	methods  string   // names of classes with methods, as [profile.MatchName] has them; "" where preset is set
	argument int      // from 1, the receiver left out: whose value is the name; 0: the name is the method's
	calls    []string // methods of the argument whose results are the name in place of it
	preset   preset   // nil: none
}

// A List is what users write in all.
type List []*Spec

var (
	specText     = regexp.MustCompile(`^([^()]+)(?:\((.*)\))?$`)
	argumentText = regexp.MustCompile(`^([1-9][0-9]?)((?:\.[A-Za-z_$][\w$]*(?:\(\))?)*)$`)
)

var errSpec = errors.New(`not a method such as Shop.order, Shop.order(1) or Shop.order(1.getKind), nor one of ` +
	strings.Join(Presets(), ", "))

// Parse takes one apart.
func Parse(text string) (*Spec, error) {
	if p := presets[text]; p != nil {
		return &Spec{preset: p}, nil
	}
	parts := specText.FindStringSubmatch(text)
	if parts == nil {
		return nil, errSpec
	}
	s := &Spec{methods: parts[1]}
	if strings.ContainsAny(s.methods, "<>;/,") || !strings.Contains(s.methods, ".") ||
		strings.HasSuffix(s.methods, ".") {
		return nil, errSpec
	}
	if !strings.HasSuffix(text, ")") {
		return s, nil
	}
	argument := argumentText.FindStringSubmatch(parts[2])
	if argument == nil {
		return nil, fmt.Errorf("(%s) is not the number of an argument, from 1 on, such as (1) or (2.getName)", parts[2])
	}
	s.argument, _ = strconv.Atoi(argument[1])
	for call := range strings.SplitSeq(strings.TrimPrefix(argument[2], "."), ".") {
		if call = strings.TrimSuffix(call, "()"); call != "" {
			s.calls = append(s.calls, call)
		}
	}
	if len(s.calls) > 1 {
		return nil, fmt.Errorf("(%s) calls more than one method", parts[2])
	}
	return s, nil
}

// ParseList takes several apart, between commas.
func ParseList(text string) (List, error) {
	var list List
	for part := range strings.SplitSeq(text, ",") {
		s, err := Parse(strings.TrimSpace(part))
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}

// Of says how invocations of a method are transactions; nil where they are none. The first of the list that is about
// the method counts. Constructors and initialisers are none.
func (l List) Of(c *classfile.Class, m *classfile.Member) *instrument.Naming {
	if len(l) == 0 {
		return nil
	}
	method, ok := describe(c, m)
	if !ok || strings.HasPrefix(method.name, "<") {
		return nil
	}
	for _, s := range l {
		if b := s.of(method); b != nil {
			return b
		}
	}
	return nil
}

func (s *Spec) of(m *method) *instrument.Naming {
	if s.preset != nil {
		return s.preset(m)
	}
	if !selects(s.methods, m.title()) {
		return nil
	}
	if s.argument == 0 {
		return &instrument.Naming{Name: m.shortTitle()}
	}
	return m.byArgument(s.argument, s.calls)
}

// selects reports whether a pattern is about a method: it ends with the method's name.
func selects(pattern, title string) bool {
	if !strings.Contains(pattern, "*") {
		return title == pattern || strings.HasSuffix(title, "."+pattern)
	}
	return profile.MatchName(pattern, title)
}
