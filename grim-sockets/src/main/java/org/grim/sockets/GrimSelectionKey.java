// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets;

import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectionKey;

/**
 * A channel in a {@link GrimSelector}: a {@link KeyedChannel}, a channel of the JDK's, or the first with one of the
 * second behind it.
 * <p>Thread: any, as the contract of {@link SelectionKey} says.
 */
final class GrimSelectionKey extends AbstractSelectionKey
{
    private final SelectableChannel channel;
    private final GrimSelector selector;
    private volatile int interestOps;
    private volatile int readyOps;
    private volatile SelectionKey kernelKey;
    private boolean isSignalled;            // Under the selector's list of signals.
    private boolean isCandidate;            // The selecting thread.

    GrimSelectionKey(final SelectableChannel channel, final GrimSelector selector, final int interestOps)
    {
        this.channel = channel;
        this.selector = selector;
        this.interestOps = interestOps;
    }

    @Override
    public SelectableChannel channel()
    {
        return channel;
    }

    @Override
    public Selector selector()
    {
        return selector;
    }

    @Override
    public int interestOps()
    {
        requireValid();
        return interestOps;
    }

    @Override
    public synchronized SelectionKey interestOps(final int ops)
    {
        requireValid();
        if ((ops & ~channel.validOps()) != 0)
        {
            throw new IllegalArgumentException("ops=" + ops + " are not among " + channel.validOps());
        }
        interestOps = ops;
        final SelectionKey kernel = kernelKey;
        if (kernel != null && kernel.isValid())
        {
            kernel.interestOps(ops);
        }
        signal();
        return this;
    }

    @Override
    public synchronized int interestOpsOr(final int ops)
    {
        final int before = interestOps();
        interestOps(before | ops);
        return before;
    }

    @Override
    public synchronized int interestOpsAnd(final int ops)
    {
        final int before = interestOps();
        interestOps(before & ops);
        return before;
    }

    @Override
    public int readyOps()
    {
        requireValid();
        return readyOps;
    }

    /** Has the selector look at this key; wakes it if it sleeps. */
    void signal()
    {
        selector.signal(this);
    }

    /** Has the selector watch a channel of the JDK's for this key. */
    synchronized void watch(final SelectableChannel kernelChannel) throws ClosedChannelException
    {
        if (isValid() && kernelKey == null)
        {
            kernelKey = kernelChannel.register(selector.kernel(), interestOps, this);
            selector.kernelKeyAdded();
        }
    }

    /** Ends {@link #watch}. */
    synchronized void unwatch()
    {
        if (kernelKey != null)
        {
            kernelKey.cancel();
            kernelKey = null;
            selector.kernelKeyRemoved();
        }
    }

    /** Returns the interesting and ready operations, without the kernel's. */
    int readyOperations()
    {
        return channel instanceof final KeyedChannel keyed ? keyed.readyOperations() & interestOps : 0;
    }

    /** {@return as set last, also of a cancelled key} */
    int interest()
    {
        return interestOps;
    }

    /**
     * Says what is ready now.
     *
     * @param ops        ready.
     * @param isSelected whether the key is in the selected set, so that operations are added.
     * @return true if that changes something.
     */
    boolean ready(final int ops, final boolean isSelected)
    {
        final int before = isSelected ? readyOps : 0;
        readyOps = before | ops;
        return !isSelected || readyOps != before;
    }

    boolean isSignalled()
    {
        return isSignalled;
    }

    void signalled(final boolean isNew)
    {
        isSignalled = isNew;
    }

    boolean isCandidate()
    {
        return isCandidate;
    }

    void candidate(final boolean isNew)
    {
        isCandidate = isNew;
    }

    private void requireValid()
    {
        if (!isValid())
        {
            throw new CancelledKeyException();
        }
    }
}
