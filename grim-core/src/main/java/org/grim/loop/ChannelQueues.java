// SPDX-License-Identifier: Apache-2.0
package org.grim.loop;

import java.util.ArrayList;

import org.grim.transport.ArrivalQueue;
import org.grim.transport.ArrivalQueues;

/**
 * The arrival queues of one channel, which outlive the endpoints that are opened on it: while there is none, nobody
 * looks at them, and what has come waits.
 * <p>Thread: the owner of the channel's endpoint; between two of them, who opens and closes endpoints.
 */
public final class ChannelQueues implements ArrivalQueues
{
    private final ArrayList<ArrivalQueue> queues = new ArrayList<>();
    private NotificationTable table;

    /** Begins to poll them. */
    public void open(final NotificationTable newTable)
    {
        queues.forEach(newTable::add);
        table = newTable;
    }

    /** Polls them unless they are polled. */
    public void resume(final NotificationTable newTable)
    {
        if (table == null)
        {
            open(newTable);
        }
    }

    /** Ends polling them, if they were. */
    public void close()
    {
        if (table != null)
        {
            queues.forEach(table::remove);
        }
        table = null;
    }

    @Override
    public void add(final ArrivalQueue queue)
    {
        queues.ensureCapacity(queues.size() + 1);       // Both or, without heap, none.
        if (table != null)
        {
            table.add(queue);
        }
        queues.add(queue);
    }

    @Override
    public void remove(final ArrivalQueue queue)
    {
        queues.remove(queue);
        if (table != null)
        {
            table.remove(queue);
        }
    }
}
