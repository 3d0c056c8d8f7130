// Command header prints the agent's C header from the protocol's table.
package main

import (
	"fmt"
	"strings"

	"mallard/internal/wire"
)

func main() {
	fmt.Println("/* Printed by internal/wire/header from the table in internal/wire/message.go. */")
	fmt.Println("#ifndef MALLARD_WIRE_H\n#define MALLARD_WIRE_H")
	define("VERSION", wire.Version)
	for _, m := range wire.Messages {
		fmt.Printf("/* %s%s */\n", strings.TrimSuffix("payload: "+m.Payload, "payload: "), request(m))
		define(m.Name, int(m.Type))
	}
	define("CLASS_REDEFINED", wire.ClassRedefined)
	define("THREAD_CARRIER", wire.ThreadCarrier)
	define("THREAD_VIRTUAL", wire.ThreadVirtual)
	define("MAX_FRAME", wire.MaxFrame)
	define("PAGE_BYTES", wire.PageBytes)
	define("MAX_PAGES", wire.MaxPages)
	define("PAGES_OFFSET", wire.PagesOffset)
	define("OVERFLOW_PAGE", wire.OverflowPage)
	define("PAGE_FREE", wire.PageFree)
	define("PAGE_LIVE", wire.PageLive)
	define("PAGE_ENDED", wire.PageEnded)
	fmt.Println("#endif")
}

func define(name string, value int) {
	fmt.Printf("#define WIRE_%s %dU\n", name, value)
}

func request(m wire.Message) string {
	if m.Request {
		return "; answered"
	}
	return ""
}
