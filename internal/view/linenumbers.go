package view

// sourceLine is a line of a method.
type sourceLine struct{ method, line int32 }

// lineNumbers are lines that allocated or called what did, by method and line, and which of them is where.
type lineNumbers struct {
	lines     []sourceLine
	ofContext []int32 // by context: the line in its caller; -1 for none
	ofSite    []int32 // by cell: its site's line
}
