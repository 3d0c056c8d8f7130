package view

// Row is a line of a table.
type Row struct {
	Title   string   `json:"title"`
	Class   string   `json:"class,omitempty"` // of a site: what it allocates
	Self    [2]int64 `json:"self"`            // objects and bytes that it has allocated itself
	All     [2]int64 `json:"all"`             // the same, with what it has led to
	Key     string   `json:"key,omitempty"`   // of a method: its name's
	File    string   `json:"file,omitempty"`  // of a line: its source file, as Source takes it
	Line    int32    `json:"line,omitempty"`
	Number  int64    `json:"number,omitempty"`  // of transactions that ended, or threads of the name
	Typical int64    `json:"typical,omitempty"` // of transactions: bytes that half of them allocated at most
	Most    int64    `json:"most,omitempty"`    // and the largest
}

// add adds to an amount of a row.
func add(to *[2]int64, a amount) {
	to[0] += a.objects
	to[1] += a.bytes
}
