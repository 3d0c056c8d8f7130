// Command header prints the agent's C header from the protocol's table.
package main

import (
	"bytes"
	"fmt"
	"os"

	"mallard/internal/transport/events"
	"mallard/internal/wire"
)

func main() {
	if _, err := os.Stdout.Write(header()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func header() []byte {
	var b bytes.Buffer
	define := func(name string, value int) { fmt.Fprintf(&b, "#define WIRE_%s %dU\n", name, value) }
	b.WriteString("/* Printed by internal/wire/header from the table in internal/wire/message.go. */\n")
	b.WriteString("#ifndef MALLARD_WIRE_H\n#define MALLARD_WIRE_H\n")
	define("VERSION", wire.Version)
	for _, m := range wire.Messages {
		fmt.Fprintf(&b, "/* %s%s */\n", m.Payload, answered(m))
		define(m.Name, int(m.Type))
	}
	define("CLASS_REDEFINED", wire.ClassRedefined)
	define("CLASS_HIDDEN", wire.ClassHidden)
	define("ADAPTING", wire.Adapting)
	define("SNAPSHOT_CALLBACK", wire.SnapshotCallback)
	define("BYTECODE_SNAPSHOTS", wire.BytecodeSnapshots)
	define("RETRANSFORM_LIVE", wire.RetransformLive)
	define("RETRANSFORMED", wire.Retransformed)
	define("CLASS_UNKNOWN", wire.ClassUnknown)
	define("CLASS_LIVE", wire.ClassLive)
	define("CLASS_REFUSED", wire.ClassRefused)
	define("THREAD_CARRIER", wire.ThreadCarrier)
	define("THREAD_VIRTUAL", wire.ThreadVirtual)
	define("THREAD_ENDED", wire.ThreadEnded)
	define("METHOD_NATIVE", wire.MethodNative)
	define("FRAME_NATIVE", wire.FrameNative)
	define("FRAME_SKIPPED", wire.FrameSkipped)
	define("FRAME_GAP", wire.FrameGap)
	define("CONTEXTS", wire.Contexts)
	define("NATIVES", wire.Natives)
	define("TRANSACTION_WORD", wire.TransactionWord)
	define("MOST_TRANSACTIONS", wire.MostTransactions)
	define("TRANSACTION_NAME", wire.TransactionName)
	define("MAX_FRAME", wire.MaxFrame)
	define("BLOCK_BYTES", wire.BlockBytes)
	define("SMALL_BLOCK_BYTES", wire.SmallBlockBytes)
	define("MAX_BLOCKS", wire.MaxBlocks)
	define("BLOCKS_OFFSET", wire.BlocksOffset)
	define("NODES_OFFSET", wire.NodesOffset)
	define("ARENA_SHARE", wire.ArenaShare)
	define("MESSAGE_RING_OFFSET", wire.MessageRingOffset)
	define("MESSAGE_RING_BYTES", wire.MessageRingBytes)
	define("OVERFLOW_BLOCK", wire.OverflowBlock)
	define("BLOCK_FREE", wire.BlockFree)
	define("BLOCK_LIVE", wire.BlockLive)
	define("BLOCK_ENDED", wire.BlockEnded)
	define("EVENT_MAGIC", events.Magic)
	define("EVENT_VERSION", events.LayoutVersion)
	define("EVENT_ASLEEP", events.AsleepOffset)
	define("EVENT_DESCRIPTORS", events.Descriptors)
	define("EVENT_DESCRIPTOR", events.DescriptorBytes)
	define("EVENT_RINGS", events.MaxRings)
	define("EVENT_CONTROL", events.ControlBytes)
	define("EVENT_COMMITTED", events.CommittedOffset)
	define("EVENT_READ", events.ReadOffset)
	define("EVENT_LOSING", events.LosingOffset)
	define("EVENT_LEVEL", events.LevelOffset)
	define("EVENT_LOST", events.LostOffset)
	define("EVENT_HEADER", events.HeaderBytes)
	fmt.Fprintf(&b, "#define WIRE_EVENT_STAMP %#xULL\n", uint64(events.Stamp))
	define("EVENT_PADDING", int(events.Padding))
	define("EVENT_LOSS", int(events.LossKind))
	define("EVENT_FIRST", int(events.FirstKind))
	define("EVENT_KINDS", events.Kinds)
	b.WriteString("#endif\n")
	return b.Bytes()
}

func answered(m wire.Message) string {
	if m.Request {
		return "; answered"
	}
	return ""
}
