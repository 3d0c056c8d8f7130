package session

import (
	"mallard/internal/abi"
	"mallard/internal/classes"
	"mallard/internal/trace"
	"mallard/internal/transport"
)

// unanswered records what was lost while the agent had no answers. Of classes the table has more to say.
func (s *Session) unanswered(m *transport.Unanswered) error {
	var loss string
	switch t := abi.Type(m.Request); {
	case t == abi.HiddenClass:
		loss = "hidden classes are not counted"
	case t == abi.CodeLocation:
		loss = "objects that the JVM made by itself have no site"
	case t == abi.ClassMade:
		loss = "objects that calls made are reported as what the code takes them for"
	case s.handlers[t] != nil:
		loss = s.handlers[t].Unanswered(t)
	}
	if loss != "" {
		s.recording.Put(&trace.Loss{Kind: "unanswered", Count: uint64(m.Count),
			Detail: "the recorder did not answer in time: " + loss})
	}
	return nil
}

// classMissed has a class noted that stays as it is.
func (s *Session) classMissed(m *transport.ClassMissed) error {
	if m.Flags&abi.ClassHidden == 0 {
		s.classes.Missed(classes.Key{Loader: trace.LoaderID(m.Loader), Name: m.Name}, m.Flags&abi.ClassRedefined != 0)
	}
	return nil
}
