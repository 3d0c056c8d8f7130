package allocations

import "mallard/internal/bytecode"

const hashMap = "java/util/HashMap"

// TableBefore is the local variable of HashMap.resize that has the table that is replaced, null for none.
const TableBefore = 1

// asksForTable reports whether an instruction of HashMap makes a table of resize, first or larger: the code stores it
// and asks whether there was one before (17 to 25).
//
//	anewarray HashMap$Node
//	astore 6
//	aload_0
//	aload 6
//	putfield table
//	aload_1
//	ifnull
func asksForTable(code *bytecode.Code, i int) bool {
	const load = 5
	return i+load+1 < len(code.Insns) && code.Insns[i+load] == bytecode.LoadStore(bytecode.OpAload, TableBefore) &&
		code.Insns[i+load+1].Op == bytecode.OpIfnull
}
