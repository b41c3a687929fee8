// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.delivery;

import org.grim.wire.MessageHeader;


/**
 * The messages in flight, by token. A token whose message was answered, or will not be, goes back; but as long as an
 * answer to one of its transmissions may still come, it stays in the quarantine of the peer that would answer: an
 * answer that is taken for one to another message would lose that message. A peer answers in the order in which it
 * was sent to, so that any answer of it ends the quarantine of what left earlier.
 * <p>Bounds: {@code tokenCount} entries; quarantines are lists through them. Thread: the board's stepper.
 */
public class Scoreboard
{
    /** Most tokens, by the width of the field in the header. */
    public static final int TOKEN_COUNT_MAX = 256;

    private final MessageRecord[] entries;
    private final int[] free;
    private final int[] followingInQuarantine;
    private final long[] lastTransmissions;
    private int freeCount;
    private int quarantineCount;

    /**
     * A scoreboard with all tokens free.
     *
     * @param tokenCount 1 to {@value #TOKEN_COUNT_MAX}.
     */
    public Scoreboard(final int tokenCount)
    {
        if (tokenCount < 1 || tokenCount > TOKEN_COUNT_MAX)
        {
            throw new IllegalArgumentException("token count=" + tokenCount + " is outside 1 to " + TOKEN_COUNT_MAX);
        }
        entries = new MessageRecord[tokenCount];
        free = new int[tokenCount];
        followingInQuarantine = new int[tokenCount];
        lastTransmissions = new long[tokenCount];
        while (freeCount < tokenCount)
        {
            free[freeCount] = tokenCount - 1 - freeCount;
            freeCount++;
        }
    }

    /** {@return whether a message can get a token; false while all are in flight or in quarantine} */
    public boolean hasFree()
    {
        return freeCount > 0;
    }

    /** {@return tokens of messages in flight; their count} */
    public int usedCount()
    {
        return entries.length - freeCount - quarantineCount;
    }

    /** {@return tokens in quarantine; their count} */
    public int quarantineCount()
    {
        return quarantineCount;
    }

    void enter(final MessageRecord record)
    {
        final int token = free[--freeCount];
        assert entries[token] == null && record.token == MessageRecord.NO_TOKEN : token;
        entries[token] = record;
        record.token = token;
    }

    /**
     * The message that an answer is for: it holds the answer's token, has its sequence, and went to who answers.
     *
     * @param words  of the control message, both, which were judged.
     * @param fromNi that answers.
     * @return null if it is for none that is in flight.
     */
    protected MessageRecord answered(final long words, final int fromNi)
    {
        final MessageRecord record = holder(MessageHeader.token(words));
        return record == null || record.destinationNi() != fromNi || record.sequence != MessageHeader.sequence(words) ?
            null : record;
    }

    /**
     * The message that holds a token.
     *
     * @param token 0 or more.
     * @return null if none does.
     */
    protected final MessageRecord holder(final int token)
    {
        return token < entries.length ? entries[token] : null;
    }

    /**
     * Whether an answer to a transmission of a message may still come. True if its token is not to be used again yet.
     */
    protected boolean isAwaited(final MessageRecord record)
    {
        return record.lastTransmission > record.triple.peer.answeredTransmission;
    }

    /** Releases a message's token, at once or through the quarantine. */
    void release(final MessageRecord record)
    {
        final int token = record.token;
        if (token == MessageRecord.NO_TOKEN)
        {
            return;
        }
        record.token = MessageRecord.NO_TOKEN;
        assert entries[token] == record : token;
        entries[token] = null;
        final Peer peer = record.triple.peer;
        if (!isAwaited(record))
        {
            free[freeCount++] = token;
            return;
        }
        lastTransmissions[token] = record.lastTransmission;
        followingInQuarantine[token] = MessageRecord.NO_TOKEN;
        if (peer.quarantineHead == MessageRecord.NO_TOKEN)
        {
            peer.quarantineHead = token;
        }
        else
        {
            followingInQuarantine[peer.quarantineTail] = token;
        }
        peer.quarantineTail = token;
        quarantineCount++;
        assert usedCount() >= 0 : usedCount();
    }

    /** Frees what an answer of the peer, or its end, lets out of quarantine. Returns how many tokens. */
    int endQuarantine(final Peer peer)
    {
        int count = 0;
        while (peer.quarantineHead != MessageRecord.NO_TOKEN &&
            lastTransmissions[peer.quarantineHead] <= peer.answeredTransmission)
        {
            final int token = peer.quarantineHead;
            peer.quarantineHead = followingInQuarantine[token];
            free[freeCount++] = token;
            quarantineCount--;
            assert quarantineCount >= 0 : quarantineCount;
            count++;
        }
        return count;
    }
}
