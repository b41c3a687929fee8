// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.service;

import java.util.Arrays;

/**
 * Assignment of a board's channels to contexts, in runs. A node does not get the run of its last incarnation again
 * while there is another: messages to the last incarnation then find channels without an owner.
 * <p>Thread: the board's stepper.
 */
final class ChannelRuns
{
    /** No run is free; or no context has the channel. */
    static final int NONE = -1;

    private final int[] contexts;
    private final int[] lastFirst;
    private final int[] lastCount;

    /** Channels that nobody has; the NI's own is not among them. */
    ChannelRuns(final int channelCount, final int nodeCountMax)
    {
        contexts = new int[channelCount];
        Arrays.fill(contexts, NONE);
        lastFirst = new int[nodeCountMax];
        lastCount = new int[nodeCountMax];
    }

    int channelCount()
    {
        return contexts.length;
    }

    /** The context that has a channel. */
    int contextOf(final int channel)
    {
        return channel < contexts.length ? contexts[channel] : NONE;
    }

    /** First channel of a run that is free. */
    int find(final int node, final int count)
    {
        final int other = find(count, lastFirst[node], lastCount[node]);
        return other == NONE ? find(count, 0, 0) : other;
    }

    void take(final int context, final int node, final int first, final int count)
    {
        Arrays.fill(contexts, first, first + count, context);
        lastFirst[node] = first;
        lastCount[node] = count;
    }

    void free(final int first, final int count)
    {
        Arrays.fill(contexts, first, first + count, NONE);
    }

    private int find(final int count, final int avoidedFirst, final int avoidedCount)
    {
        int runLength = 0;
        for (int channel = 0; channel < contexts.length; channel++)
        {
            final boolean isAvoided = channel >= avoidedFirst && channel < avoidedFirst + avoidedCount;
            runLength = contexts[channel] == NONE && !isAvoided ? runLength + 1 : 0;
            if (runLength == count)
            {
                return channel + 1 - count;
            }
        }
        return NONE;
    }
}
