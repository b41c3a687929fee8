// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * What runs for a message, by the id that it carries and the device that it is for.
 * <p>Thread: one at a time binds; any looks up, and sees a whole table, the old one or the new.
 */
final class HandlerTable
{
    private static final ActiveMessageHandler[] EMPTY = {};

    private volatile ActiveMessageHandler[] hostHandlers = EMPTY;
    private final AtomicReferenceArray<ActiveMessageHandler[]> deviceHandlers =
        new AtomicReferenceArray<>(EndpointId.DEVICE_MAX + 1);

    /** What runs for an id on a device, 0 to {@link EndpointId#DEVICE_MAX}; null if nothing does. */
    ActiveMessageHandler handler(final int device, final int id)
    {
        final ActiveMessageHandler[] table = device == 0 ? hostHandlers : deviceTable(device);
        return id < table.length ? table[id] : null;
    }

    /** Has a handler run for an id on a device. */
    void bind(final int device, final int id, final ActiveMessageHandler handler)
    {
        final ActiveMessageHandler[] old = device == 0 ? hostHandlers : deviceTable(device);
        final ActiveMessageHandler[] table = Arrays.copyOf(old, Math.max(old.length, id + 1));
        table[id] = handler;
        if (device == 0)
        {
            hostHandlers = table;
        }
        else
        {
            deviceHandlers.set(device, table);
        }
    }

    private ActiveMessageHandler[] deviceTable(final int device)
    {
        final ActiveMessageHandler[] table = deviceHandlers.get(device);
        return table == null ? EMPTY : table;
    }
}
