// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import java.util.LinkedHashMap;
import java.util.Map;

import org.agrona.BitUtil;
import org.grim.endpoint.MessageLimits;
import org.grim.transport.Key;
import org.grim.transport.Keys;
import org.grim.transport.Settings;

import static org.grim.transport.Key.KIB;
import static org.grim.transport.Key.MIB;
import static org.grim.transport.Key.Unit.BYTES;

/**
 * Thresholds by which collective operations choose their algorithms.
 *
 * @param eagerLength   longest part that is sent before its receiver says that it is ready.
 * @param ringLength    longest result, or bytes of all members, for which trees and doubling are used.
 * @param inPlaceLength longest part that is copied through queues where its receiver could read it in place.
 * @param outboxLength  bytes of an outbox of multicasts, a power of two; 0 for none.
 * @param isByTrees     whether multicasts go along trees of forwarders, where all members have such.
 * @param messages      limits of any message.
 */
public record GroupSettings(
    @Key(value = "group.eager-length", initial = "4KiB", unit = BYTES, max = 32 * KIB,
        text = "Longest part of a [collective operation](groups.md) that is sent before its receiver is ready, and " +
        "copied once more if it comes too early. The same at all members.")
    int eagerLength,
    @Key(value = "group.ring-length", initial = "32KiB", unit = BYTES, max = Integer.MAX_VALUE,
        text = "Longest result, or bytes of all members together, for which trees and recursive doubling are used; " +
        "rings for longer ones. The same at all members.")
    int ringLength,
    @Key(value = "group.in-place-length", initial = "32KiB", unit = BYTES, max = Integer.MAX_VALUE,
        text = "Longest part that is copied through queues; longer ones in registered memory are [read in " +
        "place](groups.md) by members of the host.")
    int inPlaceLength,
    @Key(value = "group.outbox-length", initial = "512KiB", unit = BYTES, max = GroupSettings.OUTBOX_LENGTH_MAX,
        text = "Shared memory of one member of a group for [multicasts](groups.md#multicast) that members of its " +
        "host read in place: a power of two from 128 KiB, made at the first multicast; 0: a message to each.")
    int outboxLength,
    @Key(value = "group.ni-multicast", initial = "false",
        text = "Whether multicasts go along trees of network interfaces, where all members reach each other by " +
        "these. The same at all members.")
    boolean isByTrees,
    MessageLimits messages)
{
    private static final int ARRAY_LENGTH_MAX = Integer.MAX_VALUE - 1_024;      // With a prefix.
    private static final int OUTBOX_LENGTH_MIN = 128 * KIB;
    private static final int OUTBOX_LENGTH_MAX = 64 * MIB;

    /**
     * Reads them.
     *
     * @param settings of the node.
     * @return the settings.
     * @throws IllegalArgumentException if one is out of range.
     */
    public static GroupSettings of(final Settings settings)
    {
        final GroupSettings read = Keys.read(settings, GroupSettings.class);
        final int length = read.outboxLength;
        if (length != 0 && (length < OUTBOX_LENGTH_MIN || !BitUtil.isPowerOfTwo(length)))
        {
            throw settings.refusal("group.outbox-length", "0 or a power of two from " + OUTBOX_LENGTH_MIN + " to " +
                OUTBOX_LENGTH_MAX + " bytes", null);
        }
        return read;
    }

    /** Returns the most payload bytes of a multicast. */
    int multicastLengthMax()
    {
        return Math.min(ARRAY_LENGTH_MAX, messages.lengthMax());
    }

    /**
     * Returns the values that must be equal at all members: each works out by itself what the others send, and when.
     */
    Agreement agreement()
    {
        final Map<String, Object> values = new LinkedHashMap<>();
        values.put("grim.group.eager-length", eagerLength);
        values.put("grim.group.ring-length", ringLength);
        values.put("grim.group.ni-multicast", isByTrees);
        values.put("grim.message.length-max", multicastLengthMax());
        return new Agreement(values);
    }
}
