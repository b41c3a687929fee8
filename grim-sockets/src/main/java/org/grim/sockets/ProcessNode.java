// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.channels.spi.SelectorProvider;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import org.grim.GrimConfig;
import org.grim.GrimException;
import org.grim.shared.SpinTime;
import org.grim.sockets.node.SocketNode;
import org.grim.sockets.node.SocketsConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shared objects of all channels of a provider: the JDK's provider below, and the node above, which its keeper joins
 * with in the background.
 * <p>Thread: any.
 */
final class ProcessNode
{
    private static final Logger LOGGER = LoggerFactory.getLogger(ProcessNode.class);
    private static final String KERNEL_PROVIDER = "sun.nio.ch.DefaultSelectorProvider";
    private static final int HEX_RADIX = 16;
    private static final int SUFFIX_MIN = 0x1000;
    private static final String FLAG = "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED";

    static final long LEAVE_MS = 5_000;
    private static final long ATTEMPT_NS_MAX = TimeUnit.MINUTES.toNanos(1);

    private final SelectorProvider kernel = kernelProvider();
    private final OptionValues.Source options = new OptionValues.Source(kernel);
    private final NodeKeeper keeper = new NodeKeeper(this::join);
    private final SpinTime spinTime = new SpinTime();
    private final AtomicBoolean hasWarned = new AtomicBoolean();
    private final GrimConfig givenConfig;
    private final boolean mayForbidTcp;
    private final Object configurationLock = new Object();
    private boolean isConfigured;
    private GrimConfig grimConfig;
    private SocketsConfig config;
    private Throwable configurationFailure;
    private boolean hasHook;                                // The keeper's thread alone.

    /**
     * Begins to join the cluster, in the background.
     *
     * @param givenConfig of the node; null for what the process is configured with.
     * @throws IllegalStateException if the JVM was started without the flag that is needed; the text names it.
     */
    ProcessNode(final GrimConfig givenConfig)
    {
        this.givenConfig = givenConfig;
        mayForbidTcp = givenConfig == null ? OnlySetting.isMentioned() : OnlySetting.isIn(givenConfig);
        keeper.start();
    }

    /** {@return the JDK's own provider} */
    SelectorProvider kernel()
    {
        return kernel;
    }

    /** {@return where channels without a kernel's socket have their options from} */
    OptionValues.Source options()
    {
        return options;
    }

    /** {@return what channels have found out about looking before they sleep} */
    SpinTime spinTime()
    {
        return spinTime;
    }

    /** {@return the process's node; null while the process is in no cluster} */
    SocketNode nodeIfJoined()
    {
        return keeper.node();
    }

    /** {@return whether the first attempt to join has ended, or none will be made} */
    boolean hasTried()
    {
        return keeper.hasTried();
    }

    /** A thread that waited, for whichever node there was, goes off to do something else. */
    void depart()
    {
        final SocketNode current = keeper.node();
        if (current != null)
        {
            current.pollingOrder().depart();
        }
    }

    /**
     * The node that makes connections with an address. Where TCP is forbidden it waits for the first attempt to join;
     * where it cannot be, for nothing, not even the configuration.
     *
     * @param address    of a server.
     * @param isWanted   whether the caller still waits.
     * @param deadlineNs of {@link System#nanoTime()}, when it waits no longer; {@link Long#MAX_VALUE} for a minute.
     * @return null if they are TCP.
     */
    SocketNode nodeFor(final InetSocketAddress address, final BooleanSupplier isWanted, final long deadlineNs)
    {
        if (!mayForbidTcp && keeper.node() == null)
        {
            return null;
        }
        final SocketsConfig known = configured();
        if (known == null || known.never().matches(address))
        {
            return null;
        }
        if (isTcpForbidden(known, address))
        {
            keeper.awaitAttempt(isWanted,
                deadlineNs == Long.MAX_VALUE ? System.nanoTime() + ATTEMPT_NS_MAX : deadlineNs);
        }
        return keeper.node();
    }

    /**
     * Enters a server channel in the node, now or when there is one.
     *
     * @param channel that is bound.
     * @param address it is bound to.
     * @throws SocketException if its connections would be TCP, and that is forbidden.
     */
    void listen(final BoundChannel channel, final InetSocketAddress address) throws SocketException
    {
        nodeFor(address, channel::isOpen, Long.MAX_VALUE);
        keeper.add(channel);
        if (!channel.isEntered())
        {
            try
            {
                requireTcpAllowed(address);
            }
            catch (final SocketException ex)
            {
                keeper.remove(channel);
                throw ex;
            }
        }
    }

    /**
     * Returns whether connections with an address are TCP, as the configuration says.
     *
     * @param address of a server.
     * @return false also if the configuration cannot be used.
     */
    boolean isNever(final InetSocketAddress address)
    {
        final SocketsConfig known = configured();
        return known != null && known.never().matches(address);
    }

    /**
     * Takes a server channel out.
     *
     * @param channel that is closed.
     */
    void close(final BoundChannel channel)
    {
        keeper.remove(channel);
    }

    /**
     * Says once that connections are TCP that could have been over GRIM.
     *
     * @param address of a server.
     * @param cause   why.
     */
    void warnOfTcp(final InetSocketAddress address, final Throwable cause)
    {
        if (hasWarned.compareAndSet(false, true))
        {
            LOGGER.warn("connections to {} are TCP; others may be, which are not logged: {}", address,
                cause.toString(), cause);
        }
        else
        {
            LOGGER.debug("connections to {} are TCP", address, cause);
        }
    }

    /** Counts a connection that was made over TCP, for tools. */
    void countTcp()
    {
        keeper.countTcp();
    }

    /**
     * Refuses TCP where it is forbidden, or may be.
     *
     * @param address of a server.
     * @throws SocketException if it is.
     */
    void requireTcpAllowed(final InetSocketAddress address) throws SocketException
    {
        final SocketsConfig known = mayForbidTcp ? configured() : null;
        if (mayForbidTcp && known == null)
        {
            throw new ConnectException(address + " may be one that grim.sockets.only forbids TCP for, and the " +
                "configuration cannot be used: " + configurationFailure);
        }
        if (known != null && isTcpForbidden(known, address))
        {
            throw new ConnectException(
                address + " cannot be reached over GRIM, and grim.sockets.only forbids TCP there");
        }
    }

    private static boolean isTcpForbidden(final SocketsConfig known, final InetSocketAddress address)
    {
        return known.only().matches(address) && !known.never().matches(address);
    }

    /**
     * Waits until the process is in its cluster.
     *
     * @param timeoutNs longest wait.
     * @return false if it is not.
     */
    boolean awaitNode(final long timeoutNs)
    {
        return keeper.awaitNode(System.nanoTime() + timeoutNs);
    }

    /** Leaves the cluster. Connections that are made later are TCP. */
    void close()
    {
        keeper.close();
    }

    /**
     * Finishes when the JVM exits, which waits for this. The node's peers handle the rest, as after a kill.
     *
     * @return whether the work has ended.
     */
    static boolean finish(final Runnable work, final long timeoutMs)
    {
        final Thread worker = new Thread(work, "grim-sockets-close");
        worker.setDaemon(true);
        worker.start();
        try
        {
            worker.join(timeoutMs);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
        final boolean isOver = !worker.isAlive();
        if (!isOver)
        {
            LOGGER.warn("the JVM exits before its node has left the cluster, which is in {}",
                Arrays.toString(worker.getStackTrace()));
        }
        return isOver;
    }

    /** The keeper's thread. */
    private SocketNode join(final boolean isFirst, final Consumer<GrimException> onOut) throws IOException
    {
        final SocketsConfig known = isFirst ? configured() : configuredAgain();
        if (known == null)
        {
            throw new IllegalStateException("the configuration cannot be used: " + configurationFailure,
                configurationFailure);
        }
        final SocketNode node = SocketNode.join(
            isFirst ? grimConfig : grimConfig.toBuilder().set("grim.warm-up", "0s").build(), known, kernel, onOut);
        if (givenConfig == null && !hasHook)
        {
            hasHook = true;
            LastHook.tryAdd(() -> finish(keeper::leave, LEAVE_MS));
        }
        return node;
    }

    /** {@return what the configuration says; null if it cannot be used} */
    private SocketsConfig configured()
    {
        synchronized (configurationLock)
        {
            if (!isConfigured)
            {
                isConfigured = true;
                try
                {
                    grimConfig = givenConfig != null ? givenConfig : processConfig();
                    config = SocketsConfig.of(grimConfig);
                }
                catch (final RuntimeException | Error ex)
                {
                    configurationFailure = ex;                      // The keeper logs it.
                }
            }
            return config;
        }
    }

    /** Returns {@link #configured()}, and reads once more what could not be read. */
    private SocketsConfig configuredAgain()
    {
        synchronized (configurationLock)
        {
            isConfigured = config != null;
            return configured();
        }
    }

    /**
     * The application may have a node of its own, with the name that is configured. Hosts and containers have the same
     * process numbers.
     */
    private static GrimConfig processConfig()
    {
        return GrimConfig.builder().nodeName(SocketNode.NAME_PREFIX + ProcessHandle.current().pid() + "-" +
            Integer.toHexString(ThreadLocalRandom.current().nextInt(SUFFIX_MIN, SUFFIX_MIN * HEX_RADIX))).build();
    }

    private static SelectorProvider kernelProvider()
    {
        try
        {
            return (SelectorProvider)Class.forName(KERNEL_PROVIDER).getMethod("get").invoke(null);
        }
        catch (final IllegalAccessException ex)
        {
            throw new IllegalStateException(
                "this JVM was started without the flag that GRIM's sockets need: " + FLAG, ex);
        }
        catch (final ClassNotFoundException | NoSuchMethodException | InvocationTargetException ex)
        {
            throw new IllegalStateException("this JVM has no " + KERNEL_PROVIDER + ".get()", ex);
        }
    }
}
