package main

// A part measures one thing and stores it in the session's figures.
type part struct {
	name    string
	measure func(*session) error
}

var parts = []part{
	{"rates", measureRates},
	{"increments", measureIncrements},
	{"frequencies", measureFrequencies},
	{"attribution", measureAttribution},
	{"adaptation", measureAdaptation},
	{"instrumenting", measureInstrumenting},
	{"runtime", measureRuntime},
	{"turns", measureTurns},
	{"tracks", measureTracks},
	{"objects", measureObjects},
	{"births", measureBirths},
	{"pauses", measurePauses},
	{"startup", measureStartup},
	{"counters", measureCounters},
	{"events", measureEvents},
	{"copies", measureCopies},
	{"agreement", measureAgreement},
	{"attach", measureAttach},
}
