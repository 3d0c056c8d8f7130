package view

// name is what frames have in common that are one beside each other.
type name struct {
	kind  kind
	index int32 // of a method in Profile.Methods, the first of its class and name; of a type in Recording.types
	line  int32 // of the call or the site in a method, where lines are told apart and known; else -1
}

// kind is what a frame stands for.
type kind uint8

const (
	everything kind = iota
	ofMethod
	ofClass // an allocated class
	folded  // calls of code that is not the user's
	smaller // frames that are too small to be kept apart; the name is that of none
)
