// SPDX-License-Identifier: Apache-2.0
package org.grim.endpoint;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;

import org.grim.ActiveMessage;
import org.grim.EndpointId;
import org.grim.RejectReason;
import org.grim.text.SafeText;
import org.grim.wire.FlowKey;
import org.grim.wire.LargeMessageIds;

/**
 * The handlers by id and device.
 * <p>Thread: one at a time binds; any looks up, and sees a whole table, the old one or the new.
 */
public final class HandlerTable
{
    private static final ActiveMessage.Handler[] EMPTY = {};

    private volatile ActiveMessage.Handler[] hostHandlers = EMPTY;
    private volatile ActiveMessage.Handler[] commonHandlers = EMPTY;
    private final AtomicReferenceArray<ActiveMessage.Handler[]> deviceHandlers =
        new AtomicReferenceArray<>(EndpointId.DEVICE_MAX + 1);
    private final Map<Integer, String> names = new ConcurrentHashMap<>();
    private final Runnable onUnknownId;

    /**
     * Makes an empty table.
     *
     * @param onUnknownId looks for ids that handlers of this node have got meanwhile, and binds them. Thread: any.
     */
    public HandlerTable(final Runnable onUnknownId)
    {
        this.onUnknownId = onUnknownId;
    }

    /**
     * Why a message is refused when nothing runs for its id.
     *
     * @param flowKey of the message, as {@link FlowKey}.
     * @return the reason.
     */
    public static RejectReason noHandler(final long flowKey)
    {
        return FlowKey.deviceTo(flowKey) == 0 ? RejectReason.UNKNOWN_HANDLER : RejectReason.NO_DEVICE_HANDLER;
    }

    /**
     * Returns the handler of an id on the device that a message came for. A sender may know the id of a handler before
     * its own node does: so it looks once more before it says that there is none.
     *
     * @param flowKey of the message, as {@link FlowKey}.
     * @param id  of the handler.
     * @return the handler; null if there is none.
     */
    public ActiveMessage.Handler handlerAt(final long flowKey, final int id)
    {
        final ActiveMessage.Handler handler = handler(FlowKey.deviceTo(flowKey), id);
        return handler == null && !LargeMessageIds.isBuiltIn(id) ? handlerOfUnknown(flowKey, id) : handler;
    }

    private ActiveMessage.Handler handlerOfUnknown(final long flowKey, final int id)
    {
        onUnknownId.run();
        return handler(FlowKey.deviceTo(flowKey), id);
    }

    /**
     * Returns the handler of an id on a device.
     *
     * @param device 0 to {@link EndpointId#DEVICE_MAX}.
     * @param id     of the handler.
     * @return the handler; null if there is none.
     */
    public ActiveMessage.Handler handler(final int device, final int id)
    {
        final ActiveMessage.Handler[] table = device == 0 ? hostHandlers : deviceTable(device);
        return id < table.length ? table[id] : null;
    }

    /**
     * Has a handler run for an id on a device.
     *
     * @param device  0 to {@link EndpointId#DEVICE_MAX}.
     * @param id      of the handler.
     * @param handler to run.
     */
    public void bind(final int device, final int id, final ActiveMessage.Handler handler)
    {
        final ActiveMessage.Handler[] old = device == 0 ? hostHandlers : deviceTable(device);
        final ActiveMessage.Handler[] table = Arrays.copyOf(old, Math.max(old.length, id + 1));
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

    /**
     * Runs nothing for a device any more but what runs on every device.
     *
     * @param device 1 to {@link EndpointId#DEVICE_MAX}.
     */
    public void forget(final int device)
    {
        deviceHandlers.set(device, null);
    }

    /** Has a handler run for an id on every device; called before any device is opened. */
    public void bindAll(final int id, final ActiveMessage.Handler handler)
    {
        bind(0, id, handler);
        final ActiveMessage.Handler[] table = Arrays.copyOf(commonHandlers, Math.max(commonHandlers.length, id + 1));
        table[id] = handler;
        commonHandlers = table;
    }

    /** Says what a handler is called, for texts. */
    public void name(final int id, final String name)
    {
        names.put(id, name);
    }

    /** Name of a handler, for texts. Returns the name in a form that can be shown; the id if there is none. */
    String nameOf(final int id)
    {
        final String name = names.get(id);
        return name == null ? "id " + id : SafeText.shorten(name);
    }

    private ActiveMessage.Handler[] deviceTable(final int device)
    {
        final ActiveMessage.Handler[] table = deviceHandlers.get(device);
        return table == null ? commonHandlers : table;
    }
}
