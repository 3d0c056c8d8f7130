package view

import "mallard/internal/profile"

// Query says what is selected of a recording.
type Query struct {
	Filter profile.Filter
	// the zero value is all; it ends where intervals do. Of a recording whose changes are not known it is all.
	Span profile.Span
}

// selection is what a query selects.
type selection struct {
	query Query
	all   bool     // everything is selected
	cells []amount // by cell
	sums  []amount // by context, with what it has led to
	total amount
	// answers that were given, by what rows are
	tables map[string]*table
	// the same of classes by what made them, by whether lines are told apart
	classes map[bool][]*frame
}
