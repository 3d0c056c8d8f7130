package export

import "strings"

// spreadsheetCell is a name as a cell of CSV. A spreadsheet runs a cell that begins with one of =, +, - and @: such a
// name gets an apostrophe in front, which makes it text. Tabs and ends of lines, which it may skip, are not printable.
func spreadsheetCell(name string) string {
	name = printable(name)
	if strings.IndexAny(strings.TrimLeft(name, " "), "=+-@") == 0 {
		return "'" + name
	}
	return name
}
