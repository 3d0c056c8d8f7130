package instrument

import (
	"encoding/binary"
	"errors"

	"mallard/internal/bytecode"
	"mallard/internal/cfg"
	"mallard/internal/classfile"
	"mallard/internal/placement"
)

// maxCorrectionTerms bounds the semantics of a method's corrections together. Code
// that allocates many objects in a row and may throw after each has a term more in φ
// after each.
const maxCorrectionTerms = 1 << 14

// corrections makes the catchers of a method. Where an instruction that can throw stands and φ is not zero, φ is
// counted by a counter that means −φ; handlers and the exits of the method have φ = 0 (DESIGN: "Exceptions").
// Instructions with equal φ and the same handlers around them share a catcher, and catchers with equal φ a counter.
//
// The new of a chain's builder is not covered where nothing else has been counted ahead: it throws only where the heap
// is full, and then one builder too many is counted. A handler there would cost more than it is worth.
//
// Calls of the runtime class are not covered: they throw nothing but the StackOverflowError of a thread that has no
// room for their frame, and that there is was found out at the entry (stackprobe.go).
type corrections struct {
	plan   *plan
	pool   *classfile.Pool
	frames *catchFrames
	codes  map[string]*correction // by φ
	of     map[catcherKey]int     // index in catchers
	terms  int

	rough    bool   // bytecodes are not corrected
	executed int32  // site of bytecodes, -1 for none
	sum      uint32 // counter of bytecodes; 0 is none yet, plus 1

	catchers []bytecode.Catcher
	phi      []placement.Vector // of each catcher
	open     int                // the catcher whose last range may go on; -1 for none
}

// A correction is the code for one φ.
type correction struct {
	phi   placement.Vector
	code  []bytecode.Instruction
	stack int
}

// A catcherKey is what instructions that share a catcher have in common.
type catcherKey struct {
	correction *correction
	catchScope
}

// catch fills in the catchers. Errors about exceptions alone are catchErrors.
func (p *plan) catch(b *body, f fallback) error {
	err := p.catchAll(b, f)
	if errors.Is(err, classfile.ErrPoolFull) {
		return &catchError{err}
	}
	return err
}

func (p *plan) catchAll(b *body, f fallback) error {
	c := &corrections{
		plan: p, pool: b.rewriter.class.Pool, frames: &catchFrames{plan: p, body: b},
		rough: f.rough, executed: p.executedSite(),
		codes: map[string]*correction{}, of: map[catcherKey]int{}, open: -1,
	}
	var changes []placement.Change
	var phi balance
	for id := range p.graph.Blocks[:p.graph.Exit()] {
		changes = p.changes(changes[:0], cfg.BlockID(id))
		if err := c.block(cfg.BlockID(id), changes, &phi); err != nil {
			return err
		}
	}
	if len(c.catchers) == 0 {
		return nil
	}
	p.catcherPhi = c.phi
	var err error
	p.catching, err = p.emit.Catching(c.catchers)
	return err
}

// block covers the instructions of a block. phi is scratch memory.
func (c *corrections) block(id cfg.BlockID, changes []placement.Change, phi *balance) error {
	p := c.plan
	if p.startPhi(id).IsZero() && len(changes) == 0 {
		c.open = -1
		return nil
	}
	phi.reset(len(p.method.Sites))
	phi.add(c.corrected(p.startPhi(id)))
	var current *correction // for phi; nil if it is not known yet
	for i := p.graph.Blocks[id].First; i < p.graph.Blocks[id].End; i++ {
		for ; len(changes) > 0 && changes[0].At == i; changes = changes[1:] {
			if delta := c.corrected(changes[0].Delta); !delta.IsZero() {
				phi.add(delta)
				current, c.open = nil, -1
			}
		}
		if phi.terms == 0 {
			c.open = -1
			continue
		}
		if !p.throws(i, phi, c.pool) {
			continue
		}
		if current == nil {
			var err error
			if current, err = c.correct(phi.vector()); err != nil {
				return err
			}
		}
		if err := c.cover(i, current); err != nil {
			return err
		}
	}
	return nil
}

// corrected is the part of a vector that exceptions are corrected for.
func (c *corrections) corrected(phi placement.Vector) placement.Vector {
	if c.rough {
		phi, _ = c.split(phi)
	}
	return phi
}

// split takes φ apart: allocations, and bytecodes, the last term.
func (c *corrections) split(phi placement.Vector) (sites, bytecodes placement.Vector) {
	if n := len(phi); n > 0 && phi[n-1].Site == c.executed {
		return phi[: n-1 : n-1], phi[n-1:]
	}
	return phi, nil
}

// correct gives the code for φ.
func (c *corrections) correct(phi placement.Vector) (*correction, error) {
	key := make([]byte, 0, 8*len(phi))
	for _, t := range phi {
		key = binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(key, uint32(t.Site)), uint32(t.N))
	}
	if known := c.codes[string(key)]; known != nil {
		return known, nil
	}
	if c.terms += len(phi); c.terms > maxCorrectionTerms {
		return nil, &catchError{errors.New("φ has too many terms at too many instructions")}
	}
	emitted, method := c.plan.emit, c.plan.method
	made := &correction{phi: phi}
	sites, bytecodes := c.split(phi)
	if !bytecodes.IsZero() {
		code, stack, err := c.addBytecodes(-bytecodes[0].N)
		if err != nil {
			return nil, err
		}
		made.code, made.stack = code, emitted.Slots(stack)
	}
	// what the sites alone need is there
	if known := c.codes[string(key[:8*len(sites)])]; known != nil && !bytecodes.IsZero() {
		made.code, made.stack = append(made.code, known.code...), max(made.stack, known.stack)
	} else if !sites.IsZero() {
		number := emitted.Take(1)
		code, stack, err := emitted.Count(number)
		if err != nil {
			return nil, err
		}
		method.Counters = append(method.Counters,
			Counter{Number: number, Kind: Path, Semantics: placement.Vector(nil).Sub(sites)})
		c.codes[string(key[:8*len(sites)])] = &correction{sites, code, emitted.Slots(stack)}
		made.code, made.stack = append(made.code, code...), max(made.stack, emitted.Slots(stack))
	}
	c.codes[string(key)] = made
	return made, nil
}

// addBytecodes gives the code that adds to the method's counter of bytecodes.
func (c *corrections) addBytecodes(n int32) ([]bytecode.Instruction, int, error) {
	emitted, method := c.plan.emit, c.plan.method
	if c.sum == 0 {
		number := emitted.Take(1)
		method.Counters = append(method.Counters,
			Counter{Number: number, Kind: Sum, Semantics: placement.Unit(int(c.executed))})
		c.sum = number + 1
	}
	return emitted.AddBytecodes(n, c.sum-1)
}

// cover adds instruction i to the catcher for a φ.
func (c *corrections) cover(i int, phi *correction) error {
	scope, err := c.frames.scopeOf(i)
	if err != nil {
		return err
	}
	key := catcherKey{phi, scope}
	k, found := c.of[key]
	if !found {
		locals, err := c.frames.locals(scope)
		if err != nil {
			return err
		}
		k = len(c.catchers)
		c.of[key] = k
		c.catchers = append(c.catchers, bytecode.Catcher{Code: phi.code, Stack: phi.stack, Locals: locals})
		c.phi = append(c.phi, phi.phi)
	}
	ranges := &c.catchers[k].Ranges
	if last := len(*ranges) - 1; c.open == k && c.frames.alike((*ranges)[last][1], i) {
		(*ranges)[last][1] = i + 1
	} else {
		*ranges = append(*ranges, [2]int{i, i + 1})
	}
	c.open = k
	return nil
}
