package trace

// These make the columns of a table; at points into a row.

func unsigned[R any, F unsignedInt](name string, at func(*R) *F) column[R] {
	return scalar[R, F]{name, uintCodec[F]{}, at}
}

func signed[R any, F signedInt](name string, at func(*R) *F) column[R] {
	return scalar[R, F]{name, intCodec[F]{}, at}
}

func delta[R any, F ~int32 | ~uint32](name string, at func(*R) *F) column[R] {
	return scalar[R, F]{name, deltaCodec[F]{}, at}
}

func wideDelta[R any, F ~uint64](name string, at func(*R) *F) column[R] {
	return scalar[R, F]{name, wideDeltaCodec[F]{}, at}
}

func text[R any](name string, at func(*R) *string) column[R] {
	return scalar[R, string]{name, stringCodec{}, at}
}

func octets[R any](name string, at func(*R) *[]byte) column[R] {
	return scalar[R, []byte]{name, octetsCodec{}, at}
}

func texts[R any](name string, at func(*R) *[]string) column[R] {
	return scalar[R, []string]{name, listCodec[string]{stringCodec{}}, at}
}

func boolean[R any](name string, at func(*R) *bool) column[R] {
	return scalar[R, bool]{name, boolCodec{}, at}
}

func four[R any](name string, at func(*R) *[4]uint32) column[R] {
	return scalar[R, [4]uint32]{name, fourCodec[uint32]{uintCodec[uint32]{}}, at}
}

func enum[R any, F ~uint8](name string, names []string, at func(*R) *F) column[R] {
	return scalar[R, F]{name, enumCodec[F]{names}, at}
}

// from3 makes a column one that blocks have from version 3 on.
func from3[R any](c column[R]) column[R] { return newer[R]{c, 3} }

// from4 makes a column one that blocks have from version 4 on.
func from4[R any](c column[R]) column[R] { return newer[R]{c, 4} }

// rows is a list with a line of text for each item.
func rows[R, S any](name string, items *table[S], at func(*R) *[]S) column[R] {
	return nested[R, S]{name, items, at, false}
}

// pairs is a list with the text form [a:b c:d], for items of a few numbers.
func pairs[R, S any](name string, items *table[S], at func(*R) *[]S) column[R] {
	return nested[R, S]{name, items, at, true}
}
