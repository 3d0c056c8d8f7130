package java.lang;

import static java.lang.$Mallard.*;
import static java.lang.$MallardABI.*;
import static java.lang.$MallardHash.*;
import static java.lang.$MallardTree.*;

/**
 * Hashes of contexts taken apart along the thread's stack where no native code is between. The reference is the
 * recorder's calltree.ResolveHash; its TestJava runs both on the same cases. In front of the thread's table are its
 * frames, innermost first, each with a place for its hash.
 *
 * <p>Defined with {@link $Mallard}, and under the same rules. There is no static initialiser to run.
 */
final class $MallardFrames {
    /** Bytes of a frame: what the recorder calls the method, with flags, and the position in its code; then its
     * hash. */
    private static final long FRAME = STACK_FRAME_BYTES;
    private static final long HASH = STACK_FRAME_HASH;
    private static final int FEW_FRAMES = 12;
    private static final int MOST_FRAMES = 32;

    /** Flags of a frame's method: it is native; frames that stand in no stack are between it and its caller. */
    private static final int NATIVE = FRAME_NATIVE;
    private static final int GAP = FRAME_GAP;

    /** In place of a frame or call: there is none; there may be one further out. */
    private static final int NONE = -1;
    private static final int MORE = -2;

    private $MallardFrames() {}

    /**
     * Gives the node of the invocation at the stack's end, and remembers all hashes on the way to one that is known; 0
     * where the recorder has to be asked.
     *
     * @param hash of the invocation; if it has just begun, what the thread's last call or return has left
     * @param called what was announced, if it has just begun
     */
    static long alongStack(long hash, int called, int method) {
        if (called != COUNTS && name(method) == 0) {
            return 0; // the VM calls it
        }
        if (!hasRoom(MOST_FRAMES + 2)) {
            grow(); // now, for frames are in front of it
        }
        int known = takeApart(hash, called, method, frames(frame(0), FEW_FRAMES));
        if (known == MORE) {
            known = takeApart(hash, called, method, frames(frame(0), MOST_FRAMES));
        }
        return known >= 0 ? putTogether(known) : 0;
    }

    /** Gives the frame whose hash is known, NONE if the stack is not what hashes say, MORE if it may be further out. */
    private static int takeApart(long hash, int called, int method, int frames) {
        if (frames == 0) {
            return NONE;
        }
        boolean behind = (U.getInt(null, frame(0)) & GAP) != 0;
        U.putInt(null, frame(0), method); // this version of it
        U.putLong(null, frame(0) + HASH, called == COUNTS ? hash : step(hash, called, method));
        int i = 0;
        if (called != COUNTS) {
            int call = frames > 1 ? call(1) : NONE;
            int said = call == NONE ? 0 : said(call);
            if (call == NONE || said != 0 && said != name(method) && !behind) {
                return NONE;
            }
            i = 1;
            U.putLong(null, frame(1) + HASH,
                hash ^ (called ^ U.getInt(null, calls(call) + CALL_ANNOUNCE)) & 0xffffffffL);
        }
        for (; ; i++) {
            long at = U.getLong(null, frame(i) + HASH);
            int callee = method(i);
            if (known(at, callee) != 0) {
                return i;
            }
            long entered = stepBack(at, callee);
            if (entered == 0) { // by the VM
                insert(at, calleeOrChild(root(), callee));
                return known(at) != 0 ? i : NONE;
            }
            if (i + 1 == frames) {
                return MORE;
            }
            int call = call(i + 1);
            if (call == NONE || !mayCall(call, callee)) {
                return NONE;
            }
            U.putLong(null, frame(i + 1) + HASH, entered ^ U.getInt(null, calls(call) + CALL_ANNOUNCE) & 0xffffffffL);
        }
    }

    /** Makes the nodes of the frames from one on that is known, and gives that of the innermost; 0 without memory. */
    private static long putTogether(int known) {
        long node = known(U.getLong(null, frame(known) + HASH));
        for (int i = known; i > 0 && node >= EARLY_NODES; i--) {
            long slot = call(i) - U.getInt(null, described(method(i)) + METHOD_FIRST_CALL) + SLOTS;
            node = calleeOrChild(node | slot << SLOT, method(i - 1));
            insert(U.getLong(null, frame(i - 1) + HASH), node);
        }
        return node >= EARLY_NODES ? node : 0;
    }

    /** Address of a frame. */
    private static long frame(int i) {
        return front() + i * FRAME;
    }

    private static int method(int frame) {
        return U.getInt(null, frame(frame)) & GAP - 1;
    }

    /** The call at which a frame stands, NONE if it does not. */
    private static int call(int frame) {
        if ((U.getInt(null, frame(frame)) & NATIVE) != 0) {
            return NONE;
        }
        long caller = described(method(frame));
        int pc = U.getInt(null, frame(frame) + STACK_FRAME_POSITION);
        int low = U.getInt(null, caller + METHOD_FIRST_CALL);
        int high = low + (U.getInt(null, caller + METHOD_CALLS) & ~METHOD_RAISED);
        while (low < high) {
            int middle = low + high >>> 1;
            int at = U.getInt(null, calls(middle) + CALL_POSITION);
            if (at == pc) {
                return middle;
            }
            if (at < pc) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return NONE;
    }

    /** Whether a call may be one of a method, for all that their names say. */
    private static boolean mayCall(int call, int method) {
        int said = said(call);
        int name = name(method);
        return name == LAMBDA_NAME || said == 0 || said == name;
    }

    /**
     * Puts the innermost frames at an address, and gives their number. It ends with a method that the agent cannot
     * name. Four frames are left out: this one, alongStack, what calls that, and what instrumented code calls.
     */
    private static native int frames(long to, int most);

    /** Has the VM look for {@link #frames} while that can do no harm. */
    static void bindFrames() {
        frames(0, 0);
    }
}
