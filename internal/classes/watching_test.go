package classes

import (
	"fmt"
	"testing"
	"time"

	"mallard/internal/abi"
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

// TestWatchingEnds: a moment ends though a class that is to tell has a method running all the time.
func TestWatchingEnds(t *testing.T) {
	table, worth := &Table{}, map[string]float64{"demo/Runs": 1, "demo/Rests": 1}
	table.Watch(nil, worth, 0, 0)
	now := soonestWatch
	for orders := table.Watch(nil, worth, time.Hour, now); table.WatchesNow(); now += watchFor / 4 {
		if len(orders) == 0 || now > soonestWatch+4*watchFor {
			t.Fatalf("after %v the moment goes on, with %d orders", now-soonestWatch, len(orders))
		}
		for _, o := range orders {
			outcome := uint32(abi.OutcomeDone)
			if o.Key.Name == "demo/Runs" {
				outcome = abi.OutcomeLive
			}
			o.watch.outcome(outcome)
			table.watch.changed(outcome, time.Millisecond)
		}
		orders = table.Watch(nil, worth, time.Hour, now)
	}
	if now < soonestWatch+watchFor {
		t.Errorf("it has ended after %v", now-soonestWatch)
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
