package merge

import (
	"slices"

	"mallard/internal/profile"
)

// Source is a recording to be merged, which may be a merged one.
type Source struct {
	File    string
	Profile *profile.Profile
}

func allTracked(sources []Source) bool {
	return !slices.ContainsFunc(sources, func(s Source) bool { return !s.Profile.Tracked })
}

func allBytecodes(sources []Source) bool {
	return !slices.ContainsFunc(sources, func(s Source) bool { return !s.Profile.Bytecodes })
}
