// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets;

import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.util.Arrays;

import org.grim.shared.Sleeper;
import org.grim.shared.SpinTime;

/**
 * Waiters for a channel: its keys, and the threads in its blocking calls. Knows the kernel's channel behind it, if
 * there is one, and has each key's selector watch that, too.
 * <p>Thread: any.
 */
final class ChannelKeys
{
    private static final GrimSelectionKey[] NO_KEYS = {};

    private final SpinTime spinTime;
    private volatile GrimSelectionKey[] keys = NO_KEYS;
    private volatile Sleeper reader;
    private volatile Sleeper writer;
    private SelectableChannel kernelChannel;

    ChannelKeys(final ProcessNode process)
    {
        spinTime = new SpinTime(process.spinTime());
    }

    /** Adds a key. */
    synchronized void add(final GrimSelectionKey key) throws ClosedChannelException
    {
        if (kernelChannel != null)
        {
            key.watch(kernelChannel);
        }
        final GrimSelectionKey[] more = Arrays.copyOf(keys, keys.length + 1);
        more[keys.length] = key;
        keys = more;
    }

    /** Forgets a key. */
    synchronized void remove(final GrimSelectionKey key)
    {
        keys = Arrays.stream(keys).filter(other -> other != key).toArray(GrimSelectionKey[]::new);
    }

    /** Has the kernel's channel watched by the selectors of all keys. */
    synchronized void watch(final SelectableChannel channel) throws ClosedChannelException
    {
        kernelChannel = channel;
        for (final GrimSelectionKey key : keys)
        {
            key.watch(channel);
        }
    }

    /** Keys that were cancelled count no more: the channel becomes blocking. */
    void forgetCancelled()
    {
        for (final GrimSelectionKey key : keys)
        {
            if (!key.isValid())
            {
                key.unwatch();
            }
        }
    }

    /** {@return how long blocking calls look before they sleep} */
    SpinTime spinTime()
    {
        return spinTime;
    }

    /** A thread waits in a blocking call, or no longer (null). */
    void waiting(final int operations, final Sleeper sleeper)
    {
        if (operations == SelectionKey.OP_WRITE)
        {
            writer = sleeper;
        }
        else
        {
            reader = sleeper;
        }
    }

    /** The channel may be ready for something, or has ended. */
    void signal()
    {
        for (final GrimSelectionKey key : keys)
        {
            key.signal();
        }
        wake(reader);
        wake(writer);
    }

    private static void wake(final Sleeper sleeper)
    {
        if (sleeper != null)
        {
            sleeper.wakeUp();
        }
    }
}
