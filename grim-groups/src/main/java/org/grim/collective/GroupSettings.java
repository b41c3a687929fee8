// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import java.util.LinkedHashMap;
import java.util.Map;

import org.grim.transport.Settings;
import org.grim.wire.MessageHeader;

/**
 * The limits by which collective operations choose their algorithms.
 *
 * @param eagerLength        longest part that is sent before its receiver says that it is ready.
 * @param ringLength         longest result, or bytes of all members, for which trees and doubling are used.
 * @param inPlaceLength      longest part that is copied through queues where its receiver could read it in place.
 * @param outboxLength       bytes of an outbox of multicasts, a power of two; 0 for none.
 * @param isByTrees          whether multicasts go along trees of forwarders, where all members have such.
 * @param multicastLengthMax most payload bytes of a multicast: of any message.
 */
public record GroupSettings(
    int eagerLength, int ringLength, int inPlaceLength, int outboxLength, boolean isByTrees, int multicastLengthMax)
{
    private static final int EAGER_LENGTH_MAX = 1 << 15;
    private static final int ARRAY_LENGTH_MAX = Integer.MAX_VALUE - 1_024;      // With a prefix.
    private static final int OUTBOX_LENGTH_MIN = 1 << 17;
    private static final int OUTBOX_LENGTH_MAX = 1 << 26;

    /**
     * Reads them.
     *
     * @param settings of the node.
     * @return the settings.
     * @throws IllegalArgumentException if one is out of range.
     */
    public static GroupSettings of(final Settings settings)
    {
        return new GroupSettings((int)settings.bytes("group.eager-length", 0, EAGER_LENGTH_MAX),
            (int)settings.bytes("group.ring-length", 0, Integer.MAX_VALUE),
            (int)settings.bytes("group.in-place-length", 0, Integer.MAX_VALUE), outboxLength(settings),
            settings.truth("group.ni-multicast"), (int)Math.min(ARRAY_LENGTH_MAX,
                settings.bytes("message.length-max", MessageHeader.PAYLOAD_LENGTH_MAX, Integer.MAX_VALUE)));
    }

    /** The settings that must be equal at all members: each works out by itself what the others send, and when. */
    Agreement agreement()
    {
        final Map<String, Object> values = new LinkedHashMap<>();
        values.put("grim.group.eager-length", eagerLength);
        values.put("grim.group.ring-length", ringLength);
        values.put("grim.group.ni-multicast", isByTrees);
        values.put("grim.message.length-max", multicastLengthMax);
        return new Agreement(values);
    }

    private static int outboxLength(final Settings settings)
    {
        return settings.bytes("group.outbox-length", 0, OUTBOX_LENGTH_MAX) == 0 ? 0 :
            settings.powerOfTwoBytes("group.outbox-length", OUTBOX_LENGTH_MIN, OUTBOX_LENGTH_MAX);
    }
}
