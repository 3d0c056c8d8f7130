package bytecode

import (
	"fmt"
	"strings"
	"testing"

	"mallard/internal/classfile"
	"mallard/internal/jvmtest"
)

// breakages are mistakes that a rewrite could make. Each changes a new body and
// reports whether it found a place for it.
var breakages = []struct {
	name  string
	apply func(c *Code) bool
}{
	{"frame missing", func(c *Code) bool {
		for i := range c.Frames {
			if c.Frames[i].Kind == SameFrame && c.isTarget(c.Frames[i].At) {
				c.Frames = append(c.Frames[:i], c.Frames[i+1:]...)
				c.countFrames(len(c.Frames))
				return true
			}
		}
		return false
	}},
	{"frame one instruction late", func(c *Code) bool {
		for i := range c.Frames {
			f := &c.Frames[i]
			if c.isTarget(f.At) && (i+1 == len(c.Frames) || c.Frames[i+1].At > f.At+1) {
				f.At++
				return true
			}
		}
		return false
	}},
	{"uninitialized offset not the new", func(c *Code) bool {
		for i := range c.Frames {
			f := &c.Frames[i]
			for k, t := range c.Types[f.first : f.first+int32(f.locals)+int32(f.stack)] {
				if t.Tag == Uninitialized && c.isTarget(f.At) {
					c.Types[int(f.first)+k].Arg--
					return true
				}
			}
		}
		return false
	}},
	{"stack unbalanced", func(c *Code) bool {
		for i := range c.Insns {
			if c.Insns[i].Op == OpNop {
				c.Insns[i].Op = OpPop
				return true
			}
		}
		return false
	}},
	{"stack too small", func(c *Code) bool {
		c.MaxStack = 0
		return c.Insns[len(c.Insns)-1].Op == OpAreturn
	}},
	{"branch behind the frame", func(c *Code) bool {
		for i := range c.Insns {
			if in := &c.Insns[i]; in.Op == OpGoto && !c.hasFrame(in.Target()+1) {
				in.Arg++
				return true
			}
		}
		return false
	}},
}

// isTarget reports whether a branch or switch goes to l: then a frame is needed.
func (c *Code) isTarget(l Label) bool {
	for i := range c.Insns {
		for to := range c.Targets(i) {
			if to == l {
				return true
			}
		}
	}
	return false
}

func (c *Code) countFrames(n int) {
	for i := range c.Attributes {
		if c.Attributes[i].Kind == StackMapTable {
			c.Attributes[i].Count = n
		}
	}
}

// TestVerificationNotices breaks rewritten classes, each in one place, and
// expects the JVM to refuse every one: it shows that TestVerification would
// fail if the rewriter made such mistakes.
func TestVerificationNotices(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		p := patch{dir: t.TempDir()}
		var broken []string
		next := 0
		err := image(t, jdk).Each(func(name string, b []byte) error {
			if !strings.HasPrefix(name, "java.base/java/util/concurrent/") &&
				!strings.HasPrefix(name, "jdk.compiler/com/sun/tools/javac/comp/") {
				return nil
			}
			if strings.HasPrefix(name, "java.base") && !strings.Contains(name, "Phaser") {
				return nil // the JVM itself needs most of the others
			}
			rewritten, applied, err := breakClass(b, next%len(breakages))
			next++
			if err != nil || !applied {
				return err
			}
			broken = append(broken,
				fmt.Sprintf("%s: %s", strings.ReplaceAll(strings.TrimSuffix(name[strings.IndexByte(name, '/')+1:],
					".class"), "/", "."), breakages[(next-1)%len(breakages)].name))
			return p.add(name, rewritten)
		})
		if err != nil {
			t.Fatal(err)
		}
		output := strings.Join(p.link(t, jdk), "\n")
		for _, b := range broken {
			class, _, _ := strings.Cut(b, ":")
			if !strings.Contains(output, "refused "+class+": java.lang.") {
				t.Errorf("not refused: %s", b)
			}
		}
		t.Logf("%d broken classes", len(broken))
		if len(broken) < 50 {
			t.Errorf("only %d classes could be broken", len(broken))
		}
	})
}

// breakClass rewrites a class and breaks the first body that has a place for
// the breakage.
func breakClass(b []byte, breakage int) (broken []byte, applied bool, err error) {
	class, err := classfile.Parse(b)
	if err != nil {
		return nil, false, err
	}
	err = eachCode(class, func(_ *classfile.Member, a *classfile.Attribute) error {
		_, code, err := decodeMethod(class, a)
		if err != nil {
			return err
		}
		r, err := code.Rewrite(append(nopOnEdges(code), nopBeforeAll(code)...))
		if err != nil {
			return err
		}
		if !applied {
			applied = breakages[breakage].apply(r.Body)
		}
		for i := range r.Body.Frames { // the next frame may have come too far off
			if f := &r.Body.Frames[i]; f.Kind == SameFrame || f.Kind == Stack1Frame {
				f.Kind++
			}
		}
		encoded, err := r.Body.Encode()
		if err != nil {
			return err
		}
		a.Info, err = encoded.AppendTo(nil)
		return err
	})
	if err != nil {
		return nil, false, err
	}
	broken, err = class.AppendTo(nil)
	return broken, applied, err
}
