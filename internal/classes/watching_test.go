package classes

import (
	"fmt"
	"testing"
	"time"

	"mallard/internal/abi"
	"mallard/internal/transport"
)

// TestWatchingChooses: what it is worth most to watch is chosen more often, others are too, and none that may not be.
func TestWatchingChooses(t *testing.T) {
	worth := map[string]float64{"java/lang/Object": 1000, "java/lang/Thread": 1000}
	for i := range 100 {
		worth[fmt.Sprint("demo/Rare", i)] = 1
	}
	for i := range 5 {
		worth[fmt.Sprint("demo/Often", i)] = 100
	}
	often, rare, program := 0, 0, 0
	for range 50 {
		w := &watching{classes: map[string]*watchedClass{}}
		w.choose(worth, []string{"demo/Other", "java/lang/Object"})
		wanted := 0
		for name, c := range w.classes {
			switch {
			case !c.wanted:
			case name == "demo/Other":
				program++
			case name[:8] == "demo/Oft":
				often++
			case name[:8] == "demo/Rar":
				rare++
			default:
				t.Errorf("%s is to tell what it reads", name)
			}
			if c.wanted {
				wanted++
			}
		}
		if wanted > watchedAtOnce {
			t.Errorf("%d at once", wanted)
		}
	}
	if program != 50 || often < 240 || rare < 200 {
		t.Errorf("of 50 times: %d others of the program, %d of 250 that are worth much, %d that are not", program,
			often, rare)
	}
}

// TestWatchingTurns: who has told is chosen less often than who has not.
func TestWatchingTurns(t *testing.T) {
	w, worth := &watching{classes: map[string]*watchedClass{}}, map[string]float64{}
	for i := range 4 * watchedAtOnce {
		worth[fmt.Sprint("demo/Class", i)] = 1
	}
	for range 20 {
		w.choose(worth, nil)
		w.end(0)
	}
	for name := range worth {
		if w.rounds(name) == 0 {
			t.Errorf("%s has never told in 20 rounds of %d", name, watchedAtOnce)
		}
	}
}

// TestFirstWatch: the first moment comes as late as others do, within bounds.
func TestFirstWatch(t *testing.T) {
	for pause, want := range map[time.Duration]time.Duration{
		0: soonestWatch, 5 * time.Second: 5 * time.Second, time.Hour: latestWatch,
	} {
		table, worth := &Table{}, map[string]float64{"demo/Main": 1}
		table.Watch(nil, worth, pause, 0)
		if table.Watch(nil, worth, pause, want-1); table.WatchesNow() {
			t.Errorf("pauses of %v: some tell before %v", pause, want)
		}
		if table.Watch(nil, worth, pause, want); !table.WatchesNow() {
			t.Errorf("pauses of %v: none tells after %v", pause, want)
		}
	}
}

// TestWatchingPauses: pauses are as long as is asked for, and longer where retransforming takes long.
func TestWatchingPauses(t *testing.T) {
	w := &watching{classes: map[string]*watchedClass{}, on: true}
	if w.end(time.Minute); w.next != time.Minute || w.on {
		t.Errorf("a pause of %v", w.next)
	}
	w.took = 10 * time.Second
	if w.end(time.Minute); w.next != pausePerWork*w.took {
		t.Errorf("a pause of %v", w.next)
	}
	if w.end(0); w.next != 0 {
		t.Errorf("a pause of %v where there is to be none", w.next)
	}
}

// TestWatchedClass: what was running is asked again, what was refused never tells.
func TestWatchedClass(t *testing.T) {
	c := &watchedClass{wanted: true, asked: true}
	if c.outcome(abi.OutcomeLive); c.asked || c.tells || !c.wanted {
		t.Errorf("running: %+v", c)
	}
	c.asked = true
	if c.outcome(abi.OutcomeDone); c.asked || !c.tells {
		t.Errorf("done: %+v", c)
	}
	c.wanted, c.asked = false, true
	if c.outcome(abi.OutcomeLive); c.asked || !c.tells {
		t.Errorf("running when it is to stop: %+v", c)
	}
	c.asked = true
	if c.outcome(abi.OutcomeDone); c.tells {
		t.Errorf("it still tells: %+v", c)
	}
	c.wanted, c.asked = true, true
	if c.outcome(abi.OutcomeRefused); c.wanted || c.tells || !c.asked {
		t.Errorf("refused: %+v", c)
	}
}

// TestMomentEnds: a moment lasts from when the last class has begun to tell, however long another one is running.
func TestMomentEnds(t *testing.T) {
	const tick, late = watchFor / 6, watchFor / 2
	jvm, worth := newJVM(t, Options{}, nil), map[string]float64{"demo/Loop": 1, "demo/Soon": 1, "demo/Late": 1}
	jvm.Watch(nil, worth, time.Hour, 0)
	now := latestWatch
	orders := jvm.Watch(nil, worth, time.Hour, now)
	for ; jvm.WatchesNow(); orders = jvm.Watch(nil, worth, time.Hour, now) {
		m := transport.Retransformed{}
		for _, o := range orders {
			outcome := transport.Outcome{Outcome: abi.OutcomeDone}
			if o.Key.Name == "demo/Loop" || o.Key.Name == "demo/Late" && now < latestWatch+late {
				outcome.Outcome = abi.OutcomeLive
			}
			m.Outcomes = append(m.Outcomes, outcome)
		}
		jvm.Outcomes(orders, &m)
		if now += tick; now > latestWatch+time.Minute {
			t.Fatal("it does not end")
		}
	}
	if took := now - latestWatch; took != late+tick+watchFor || len(orders) != 2 {
		t.Errorf("it took %v, and %d of 2 classes are to stop", took, len(orders))
	}
}
