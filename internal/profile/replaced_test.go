package profile

import "testing"

func TestDescribeReplaced(t *testing.T) {
	of := func(class string, line int32, objects int64) Site {
		return Site{Class: "demo.Main", Method: "run", Line: line, Type: class, Amount: Amount{Objects: objects}}
	}
	for _, test := range []struct {
		want  string
		sites []Site
	}{
		{"", nil},
		{"", []Site{of("int[][][][][]", 1, 5), of("int[][][][][][]", 2, 0), of("java.lang.ArrayStoreException", 3, 0)}},
		{", or compiled code: the lengths of arrays of more than 5 dimensions (demo.Main.run:2)",
			[]Site{of("int[][][][][][]", 1, 5), of("int[][][][][][]", 2, 6), of("int[][][][][][]", 3, 4)}},
		{", or compiled code: arrays that Arrays.copyOf could not fill (demo.Main.run:3)",
			[]Site{of("java.lang.ArrayStoreException", 3, 1)}},
		{", or compiled code: the lengths of arrays of more than 5 dimensions (demo.Main.run:1), " +
			"arrays that Arrays.copyOf could not fill (demo.Main.run:3)",
			[]Site{of("int[][][][][][][]", 1, 5), of("java.lang.ArrayStoreException", 3, 1)}},
	} {
		if got := describeReplaced(test.sites); got != test.want {
			t.Errorf("%v: %q, want %q", test.sites, got, test.want)
		}
	}
}
