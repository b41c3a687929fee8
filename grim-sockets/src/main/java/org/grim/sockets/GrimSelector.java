// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.grim.shared.Sleeper;
import org.grim.shared.SpinTime;
import org.grim.shared.Waiting;
import org.grim.sockets.node.SocketNode;

/**
 * Selects among channels over GRIM and channels of the kernel. The latter are registered with a selector of the JDK's;
 * the former say when something changed, and only these are looked at. A select handles the node's messages until one
 * concerns a key, then sleeps in the JDK's selector, which has the node's doorbell, too.
 * <p>Thread: as the contract of {@link Selector} says.
 */
final class GrimSelector extends AbstractSelector
{
    private static final long FOREVER = -1;
    private static final long KERNEL_LOOK_NS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final int SPINS_PER_KERNEL_LOOK = 16;

    private final ProcessNode process;
    private final Sleeper sleeper;
    private final SpinTime spinTime = new SpinTime();
    private final Set<SelectionKey> keys = ConcurrentHashMap.newKeySet();
    private final Set<SelectionKey> publicKeys = Collections.unmodifiableSet(keys);
    private final SelectedKeys selectedKeys = new SelectedKeys();
    private final ArrayList<GrimSelectionKey> signals = new ArrayList<>();
    private final ArrayList<GrimSelectionKey> candidates = new ArrayList<>();
    private final AtomicInteger kernelKeyCount = new AtomicInteger();
    private final AtomicInteger keyedCount = new AtomicInteger();
    private volatile boolean isWakeupRequested;
    private volatile boolean hasSignals;
    private volatile boolean hasCancelledKernelKeys;
    private boolean mayLead;                // The selecting thread, as what follows.
    private long kernelLookNs;
    private int readyCount;
    private int updatedCount;

    GrimSelector(final SelectorProvider provider, final ProcessNode process, final Selector kernel)
    {
        super(provider);
        this.process = process;
        sleeper = new Sleeper(kernel, false);
    }

    @Override
    public Set<SelectionKey> keys()
    {
        requireOpen();
        return publicKeys;
    }

    @Override
    public Set<SelectionKey> selectedKeys()
    {
        requireOpen();
        return selectedKeys;
    }

    @Override
    public int selectNow() throws IOException
    {
        return lockAndSelect(0);
    }

    @Override
    public int select(final long timeoutMs) throws IOException
    {
        if (timeoutMs < 0)
        {
            throw new IllegalArgumentException("timeout=" + timeoutMs + " is negative");
        }
        return lockAndSelect(timeoutMs == 0 ? FOREVER : timeoutMs);
    }

    @Override
    public int select() throws IOException
    {
        return lockAndSelect(FOREVER);
    }

    @Override
    public Selector wakeup()
    {
        isWakeupRequested = true;
        sleeper.wakeUp();
        return this;
    }

    @Override
    protected SelectionKey register(final AbstractSelectableChannel channel, final int ops, final Object attachment)
    {
        requireOpen();
        final GrimSelectionKey key = new GrimSelectionKey(channel, this, ops);
        key.attach(attachment);
        keys.add(key);
        boolean isReady = false;
        try
        {
            if (channel instanceof final KeyedChannel keyed)
            {
                keyedCount.incrementAndGet();
                keyed.keys().add(key);
            }
            else
            {
                key.watch(channel);
            }
            isReady = true;
        }
        catch (final ClosedChannelException ex)
        {
            key.cancel();               // As if it had been closed a moment later.
            isReady = true;
        }
        finally
        {
            if (!isReady)
            {
                keys.remove(key);
            }
        }
        if (!isOpen())
        {
            keys.remove(key);
            throw new ClosedSelectorException();
        }
        key.signal();
        return key;
    }

    @Override
    protected void implCloseSelector() throws IOException
    {
        wakeup();
        synchronized (this)
        {
            synchronized (selectedKeys)
            {
                for (final SelectionKey key : keys)
                {
                    key.cancel();
                    end((GrimSelectionKey)key);
                }
                keys.clear();
                selectedKeys.clear();
                sleeper.close();
            }
        }
    }

    /** {@return the JDK's selector} */
    Selector kernel()
    {
        return sleeper.selector();
    }

    void kernelKeyAdded()
    {
        kernelKeyCount.incrementAndGet();
    }

    void kernelKeyRemoved()
    {
        kernelKeyCount.decrementAndGet();
        hasCancelledKernelKeys = true;
    }

    /** Something about a key changed: it is looked at by the next or the present select. Any thread. */
    void signal(final GrimSelectionKey key)
    {
        synchronized (signals)
        {
            if (!key.isSignalled())
            {
                key.signalled(true);
                signals.add(key);
                hasSignals = true;
            }
        }
        sleeper.wakeUp();
    }

    private int lockAndSelect(final long timeoutMs) throws IOException
    {
        synchronized (this)
        {
            requireOpen();
            synchronized (selectedKeys)
            {
                readyCount = 0;
                updatedCount = 0;
                endCancelled();
                try
                {
                    begin();
                    look(timeoutMs);
                }
                finally
                {
                    end();
                }
                endCancelled();
                isWakeupRequested = false;
                return updatedCount;
            }
        }
    }

    private void look(final long timeoutMs) throws IOException
    {
        final SocketNode inUse = nodeInUse();
        if (inUse != null)
        {
            inUse.pollingOrder().enter();
            inUse.poll();
        }
        try
        {
            collect();
            lookAtKernel(timeoutMs != 0);
            if (timeoutMs != 0 && !isDone())
            {
                await(inUse, timeoutMs == FOREVER ? Long.MAX_VALUE : Waiting.deadlineNs(timeoutMs));
            }
        }
        finally
        {
            depart();
        }
    }

    /** Null while nothing can come for this selector: one of an agent, or of a media driver, is the kernel's alone. */
    private SocketNode nodeInUse()
    {
        final SocketNode node = keyedCount.get() > 0 ? process.nodeIfJoined() : null;
        mayLead |= node != null;
        return node != null && node.isInUse() ? node : null;
    }

    /** This thread may have led, although its last key is gone meanwhile. */
    private void depart()
    {
        if (mayLead)
        {
            mayLead = false;
            process.depart();
        }
    }

    private boolean isDone()
    {
        return readyCount > 0 || isWakeupRequested || !isOpen() || Thread.currentThread().isInterrupted();
    }

    private void await(final SocketNode first, final long deadlineNs) throws IOException
    {
        final long startNs = System.nanoTime();
        if (first != null)
        {
            spinWhileItPays(first, deadlineNs);
        }
        long timeoutMs = Waiting.timeoutMs(deadlineNs);
        while (!isDone() && timeoutMs >= 0)
        {
            final SocketNode node = nodeInUse();
            if (node == null)
            {
                depart();
            }
            sleeper.prepare();
            if (!hasSignals && !isDone())
            {
                sleeper.sleep(node != null ? node.pollingOrder() : null, timeoutMs);
            }
            sleeper.finish();
            kernelLookNs = System.nanoTime();
            takeKernelKeys();
            endCancelled();
            collect();
            timeoutMs = Waiting.timeoutMs(deadlineNs);
        }
        if (first != null)
        {
            spinTime.slept(System.nanoTime() - startNs, first.spinNs());
        }
    }

    private void spinWhileItPays(final SocketNode node, final long deadlineNs) throws IOException
    {
        final long spinNs = spinTime.beginNs(node.spinNs());
        if (spinNs > 0)
        {
            final long startNs = System.nanoTime();
            spin(node, startNs, Math.min(spinNs, deadlineNs - startNs));
            spinTime.end(isDone() && System.nanoTime() - startNs < spinNs);
        }
    }

    private void spin(final SocketNode node, final long startNs, final long spinNs) throws IOException
    {
        int count = 0;
        while (!isDone() && System.nanoTime() - startNs < spinNs)
        {
            node.poll();
            collect();
            count++;
            if (count % SPINS_PER_KERNEL_LOOK == 0 && kernelKeyCount.get() > 0)
            {
                kernel().selectNow();
                takeKernelKeys();
            }
            SpinTime.pause(count);
        }
    }

    /** Looks at keys about which something changed, and at those that were ready. */
    private void collect()
    {
        if (hasSignals)
        {
            takeSignals();
        }
        for (int i = candidates.size() - 1; i >= 0; i--)
        {
            final GrimSelectionKey key = candidates.get(i);
            final int ops = key.isValid() ? key.readyOperations() : 0;
            if (ops == 0)
            {
                key.candidate(false);
                final GrimSelectionKey last = candidates.remove(candidates.size() - 1);
                if (last != key)
                {
                    candidates.set(i, last);
                }
            }
            else
            {
                ready(key, ops);
            }
        }
    }

    private void takeSignals()
    {
        synchronized (signals)
        {
            for (int i = 0; i < signals.size(); i++)
            {
                final GrimSelectionKey key = signals.get(i);
                key.signalled(false);
                if (!key.isCandidate())
                {
                    key.candidate(true);
                    candidates.add(key);
                }
            }
            signals.clear();
            hasSignals = false;
        }
    }

    /** While channels over GRIM are ready, or are waited for at once, the kernel is asked from time to time only. */
    private void lookAtKernel(final boolean isLater) throws IOException
    {
        if (kernelKeyCount.get() > 0)
        {
            final long nowNs = System.nanoTime();
            if ((readyCount == 0 && !isLater) || nowNs - kernelLookNs > KERNEL_LOOK_NS)
            {
                kernelLookNs = nowNs;
                kernel().selectNow();
                takeKernelKeys();
            }
        }
    }

    private void takeKernelKeys()
    {
        final Set<SelectionKey> ready = kernel().selectedKeys();
        if (!ready.isEmpty())
        {
            for (final SelectionKey kernelKey : ready)
            {
                if (kernelKey.attachment() instanceof final GrimSelectionKey key && key.isValid() &&
                    kernelKey.isValid())
                {
                    ready(key, kernelKey.readyOps() & key.interest());
                }
            }
            ready.clear();
        }
    }

    private void ready(final GrimSelectionKey key, final int ops)
    {
        if (ops != 0)
        {
            readyCount++;
            final boolean isSelected = !selectedKeys.select(key);
            if (key.ready(ops, isSelected))
            {
                updatedCount++;
            }
        }
    }

    private void endCancelled() throws IOException
    {
        final Set<SelectionKey> cancelled = cancelledKeys();
        synchronized (cancelled)
        {
            if (!cancelled.isEmpty())
            {
                for (final SelectionKey key : cancelled)
                {
                    end((GrimSelectionKey)key);
                    keys.remove(key);
                    selectedKeys.remove(key);
                }
                cancelled.clear();
            }
        }
        if (hasCancelledKernelKeys)
        {
            hasCancelledKernelKeys = false;
            kernel().selectNow();                   // Only now the kernel's channels can end.
            kernel().selectedKeys().clear();        // Ready channels stay ready.
        }
    }

    private void end(final GrimSelectionKey key)
    {
        key.unwatch();
        if (key.channel() instanceof final KeyedChannel keyed)
        {
            keyed.keys().remove(key);
            keyedCount.decrementAndGet();
        }
        deregister(key);
    }

    private void requireOpen()
    {
        if (!isOpen())
        {
            throw new ClosedSelectorException();
        }
    }
}
