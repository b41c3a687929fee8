// SPDX-License-Identifier: Apache-2.0
package org.grim.cluster;

import java.util.List;
import java.util.concurrent.TimeUnit;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.GrimException;
import org.grim.buffer.Uninterrupted;
import org.grim.text.SafeText;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.grim.GrimException.Reason.BAD_DATA;
import static org.grim.GrimException.Reason.TIMED_OUT;

/**
 * Requests of this host's nodes to its agent, in the directory's memory: numbers of nodes, ids of handlers. Native byte
 * order. Slot {@value #NUMBER_SLOT} is for the holder of the join lock; the others are for the keeper of the handlers.
 * <pre>
 *  +-----------------------------------------------------------+ 0
 *  | sequence asked (u32)  length of the name (u32)  name       |   who asks writes
 *  +-----------------------------------------------------------+ 256
 *  | sequence answered (u32)  number, id or code (u32)          |   the agent writes
 *  | incarnation (u32)  length of the reason (u32)  reason      |
 *  +-----------------------------------------------------------+ 512
 * </pre>
 * A request is open while the sequences differ. While it is, the reason says what it waits for; in a refusal, why
 * there is no number or id, and the code is that of the {@link GrimException.Reason}. Each side stores its sequence
 * last, with release order.
 * <p>Thread: one on each side of a slot.
 */
public final class HostRequests
{
    /** Slot of the requests for a node's number. */
    public static final int NUMBER_SLOT = 0;

    static final int SLOT_COUNT = 64;
    static final int SLOT_LENGTH = 512;
    static final int ASKED_OFFSET = 0;                                         // u32, who asks (release), agent
    static final int NAME_LENGTH_OFFSET = ASKED_OFFSET + SIZE_OF_INT;          // u32, who asks
    static final int NAME_OFFSET = NAME_LENGTH_OFFSET + SIZE_OF_INT;           // who asks
    static final int ANSWERED_OFFSET = SLOT_LENGTH / 2;                        // u32, agent (release), who asks
    static final int NUMBER_OFFSET = ANSWERED_OFFSET + SIZE_OF_INT;            // u32, agent: code in a refusal
    static final int INCARNATION_OFFSET = NUMBER_OFFSET + SIZE_OF_INT;         // u32, agent
    static final int REASON_LENGTH_OFFSET = INCARNATION_OFFSET + SIZE_OF_INT;  // u32, agent
    static final int REASON_OFFSET = REASON_LENGTH_OFFSET + SIZE_OF_INT;       // agent
    static final int LENGTH = SLOT_COUNT * SLOT_LENGTH;
    static final int NAME_LENGTH_MAX = 200;

    private static final int REASON_LENGTH_MAX = SLOT_LENGTH - REASON_OFFSET;
    private static final List<GrimException.Reason> REASONS = List.of(GrimException.Reason.values());
    private static final long ANSWER_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final AtomicBuffer buffer;
    private final int offset;

    HostRequests(final AtomicBuffer buffer, final int offset)
    {
        this.buffer = buffer;
        this.offset = offset;
    }

    /** Takes requests that are open. */
    @FunctionalInterface
    public interface Consumer
    {
        /**
         * A request that nobody has answered.
         *
         * @param slot     that it stands in.
         * @param sequence of it, for the answer.
         * @param name     of a node, or of a handler.
         */
        void onRequest(int slot, int sequence, String name);
    }

    /** {@return whether a request is open} */
    public boolean hasOpen()
    {
        boolean hasOpen = false;
        for (int slot = 0; slot < SLOT_COUNT; slot++)
        {
            hasOpen |= !isAnswered(slot);
        }
        return hasOpen;
    }

    /** Hands over all open requests, each time again until it is answered. Thread: the agent's. */
    public void forEachOpen(final Consumer consumer)
    {
        for (int slot = 0; slot < SLOT_COUNT; slot++)
        {
            final int sequence = asked(slot);
            if (sequence != answered(slot))
            {
                final String name = text(slot, NAME_LENGTH_OFFSET, NAME_LENGTH_MAX);
                if (name.isEmpty())
                {
                    refuse(slot, sequence, TIMED_OUT, "it was withdrawn");
                }
                else
                {
                    consumer.onRequest(slot, sequence, name);
                }
            }
        }
    }

    /**
     * Answers a request. Thread: the agent's.
     *
     * @param slot        that it stands in.
     * @param sequence    of the request.
     * @param number      of the node, or the handler's id.
     * @param incarnation of the node; 0 for a handler.
     */
    public void answer(final int slot, final int sequence, final int number, final int incarnation)
    {
        buffer.putInt(at(slot) + NUMBER_OFFSET, number);
        buffer.putInt(at(slot) + INCARNATION_OFFSET, incarnation);
        putReason(slot, "");
        buffer.putIntRelease(at(slot) + ANSWERED_OFFSET, sequence);            // partner: isAnswered()
    }

    /**
     * Answers that there is nothing to be had. Thread: the agent's.
     *
     * @param slot     that the request stands in.
     * @param sequence of the request.
     * @param kind     of the error.
     * @param reason   for the text of the error; not empty.
     */
    public void refuse(final int slot, final int sequence, final GrimException.Reason kind, final String reason)
    {
        buffer.putInt(at(slot) + NUMBER_OFFSET, REASONS.indexOf(kind));
        putReason(slot, reason);
        buffer.putIntRelease(at(slot) + ANSWERED_OFFSET, sequence);            // partner: isAnswered()
    }

    /**
     * Says what an open request waits for. Thread: the agent's.
     *
     * @param slot   that it stands in.
     * @param reason for the text of an error, should the wait be too long.
     */
    public void delayed(final int slot, final String reason)
    {
        putReason(slot, reason);
    }

    /** Asks for a number or an id; what was asked in the slot before is forgotten. */
    void ask(final int slot, final String name)
    {
        final byte[] bytes = name.getBytes(UTF_8);
        if (bytes.length > NAME_LENGTH_MAX)
        {
            throw new IllegalArgumentException("name length=" + bytes.length + " exceeds max=" + NAME_LENGTH_MAX);
        }
        final int sequence = asked(slot) + 1;
        buffer.putBytes(at(slot) + NAME_OFFSET, bytes);
        buffer.putInt(at(slot) + NAME_LENGTH_OFFSET, bytes.length);
        buffer.putIntRelease(at(slot) + ASKED_OFFSET, sequence);               // partner: forEachOpen()
    }

    /**
     * Asks for a node's number, and waits for it.
     *
     * @throws GrimException if it is refused, or the agent does not answer in time.
     */
    void awaitNumber(final String name, final long timeoutNs)
    {
        final long deadlineNs = System.nanoTime() + timeoutNs;
        ask(NUMBER_SLOT, name);
        while (!isAnswered(NUMBER_SLOT))
        {
            if (System.nanoTime() - deadlineNs > 0)
            {
                final String delay = reason(NUMBER_SLOT);
                withdraw(NUMBER_SLOT);
                throw new GrimException(TIMED_OUT, "node name=" + name + " got no number within " +
                    TimeUnit.NANOSECONDS.toMillis(timeoutNs) + " ms (grim.network.join-timeout): " +
                    (delay.isEmpty() ? "no agent of this host answers" : delay));
            }
            Uninterrupted.park(ANSWER_PAUSE_NS);
        }
        throwIfRefused(NUMBER_SLOT);
    }

    /** Throws the refusal that a slot holds; another process wrote its code, so any value is possible. */
    private void throwIfRefused(final int slot)
    {
        final String reason = reason(slot);
        if (!reason.isEmpty())
        {
            final int code = number(slot);
            throw new GrimException(code >= 0 && code < REASONS.size() ? REASONS.get(code) : BAD_DATA, reason);
        }
    }

    /** Nobody waits for an answer any more. */
    private void withdraw(final int slot)
    {
        ask(slot, "");
    }

    /**
     * Asks for a handler's id, unless that was asked for; does nothing while all slots are taken.
     *
     * @throws GrimException if the request was refused.
     */
    void askForHandler(final String name)
    {
        int free = -1;
        for (int slot = NUMBER_SLOT + 1; slot < SLOT_COUNT; slot++)
        {
            if (text(slot, NAME_LENGTH_OFFSET, NAME_LENGTH_MAX).equals(name))
            {
                if (isAnswered(slot))
                {
                    throwIfRefused(slot);
                }
                return;
            }
            free = isAnswered(slot) ? slot : free;
        }
        if (free >= 0)
        {
            ask(free, name);
        }
    }

    boolean isAnswered(final int slot)
    {
        return answered(slot) == asked(slot);
    }

    int number(final int slot)
    {
        return buffer.getInt(at(slot) + NUMBER_OFFSET);
    }

    int incarnation(final int slot)
    {
        return buffer.getInt(at(slot) + INCARNATION_OFFSET);
    }

    /**
     * Returns why a request was refused, or why it waits.
     *
     * @param slot that it stands in.
     * @return the reason, printable; empty if there is none.
     */
    public String reason(final int slot)
    {
        return text(slot, REASON_LENGTH_OFFSET, REASON_LENGTH_MAX);
    }

    /** {@return the node that waits for its number, and for what, for people; empty if none does} */
    String waiting()
    {
        final String name = isAnswered(NUMBER_SLOT) ? "" : text(NUMBER_SLOT, NAME_LENGTH_OFFSET, NAME_LENGTH_MAX);
        final String reason = reason(NUMBER_SLOT);
        return name.isEmpty() ? "" : "node name=" + name + " waits there for its number" +
            (reason.isEmpty() ? "" : ": " + reason);
    }

    /** {@return sequence of the latest request in a slot} */
    int asked(final int slot)
    {
        return buffer.getIntAcquire(at(slot) + ASKED_OFFSET);                  // partner: ask()
    }

    private int answered(final int slot)
    {
        return buffer.getIntAcquire(at(slot) + ANSWERED_OFFSET);               // partner: answer(), refuse()
    }

    private int at(final int slot)
    {
        return offset + slot * SLOT_LENGTH;
    }

    private void putReason(final int slot, final String reason)
    {
        final byte[] bytes = reason.getBytes(UTF_8);
        final int length = Math.min(bytes.length, REASON_LENGTH_MAX);
        buffer.putBytes(at(slot) + REASON_OFFSET, bytes, 0, length);
        buffer.putInt(at(slot) + REASON_LENGTH_OFFSET, length);
    }

    /** Reads a text of a slot; another process wrote it, so its length is checked. */
    private String text(final int slot, final int lengthOffset, final int lengthMax)
    {
        final int length = buffer.getInt(at(slot) + lengthOffset);
        final byte[] bytes = new byte[Math.max(0, Math.min(length, lengthMax))];
        buffer.getBytes(at(slot) + lengthOffset + SIZE_OF_INT, bytes);
        return SafeText.decode(bytes);
    }
}
