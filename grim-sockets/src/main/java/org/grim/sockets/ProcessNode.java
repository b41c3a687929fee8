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

import org.grim.GrimConfig;
import org.grim.sockets.node.SocketNode;
import org.grim.sockets.node.SocketsConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What all channels of a provider share: the JDK's provider below, and the node above, which joins the cluster when the
 * first channel needs it.
 * <p>Thread: any.
 */
final class ProcessNode
{
    private static final Logger LOGGER = LoggerFactory.getLogger(ProcessNode.class);
    private static final String KERNEL_PROVIDER = "sun.nio.ch.DefaultSelectorProvider";
    private static final int HEX_RADIX = 16;
    private static final int SUFFIX_MIN = 0x1000;
    private static final String FLAG = "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED";

    private static final long LEAVE_MS = 5_000;

    private final SelectorProvider kernel = kernelProvider();
    private final OptionValues.Source options = new OptionValues.Source(kernel);
    private final GrimConfig givenConfig;
    private final Object configurationLock = new Object();
    private boolean isConfigured;
    private GrimConfig grimConfig;
    private SocketsConfig config;
    private boolean hasTried;
    private volatile SocketNode node;

    /**
     * Joins nothing yet.
     *
     * @param givenConfig of the node; null for what the process is told.
     * @throws IllegalStateException if the JVM was started without the flag that is needed; the text names it.
     */
    ProcessNode(final GrimConfig givenConfig)
    {
        this.givenConfig = givenConfig;
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

    /** {@return the process's node; null as long as no channel needed it, and if the cluster cannot be joined} */
    SocketNode nodeIfJoined()
    {
        return node;
    }

    /**
     * The node that makes connections with an address; joins the cluster at the first call.
     *
     * @param address of a server.
     * @return null if they are TCP.
     */
    SocketNode nodeFor(final InetSocketAddress address)
    {
        final SocketsConfig known = configured();               // Agents' channels do not wait for a node that joins.
        return known == null || known.never().matches(address) ? null : join();
    }

    /** Counts a connection that was made over TCP, for tools. */
    void countTcp()
    {
        final SocketNode current = node;
        if (current != null)
        {
            current.countTcp();
        }
    }

    /**
     * Refuses TCP where it is forbidden.
     *
     * @param address of a server.
     * @throws SocketException if it is.
     */
    void requireTcpAllowed(final InetSocketAddress address) throws SocketException
    {
        final SocketsConfig known = configured();
        if (known != null && known.only().matches(address) && !known.never().matches(address))
        {
            throw new ConnectException(
                address + " cannot be reached over GRIM, and grim.sockets.only forbids TCP there");
        }
    }

    /** Leaves the cluster. Connections that are made later are TCP. */
    synchronized void close()
    {
        hasTried = true;
        final SocketNode current = node;
        node = null;
        if (current != null)
        {
            current.close();
        }
    }

    /**
     * The JVM exits, and waits for this. What does not end in time is left to the node's peers, as after a kill.
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

    private SocketNode join()
    {
        final SocketNode current = node;
        return current != null ? current : joinOnce();
    }

    private synchronized SocketNode joinOnce()
    {
        if (!hasTried)
        {
            hasTried = true;
            try
            {
                node = SocketNode.join(grimConfig, config, kernel);
                if (givenConfig == null)
                {
                    LastHook.tryAdd(() -> finish(this::close, LEAVE_MS));
                }
            }
            catch (final IOException | RuntimeException | Error ex)
            {
                warn(ex);                                   // Such as a library that is missing, or is too old.
            }
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
                    warn(ex);
                }
            }
            return config;
        }
    }

    private static void warn(final Throwable cause)
    {
        LOGGER.warn("all connections of this process are TCP: the cluster cannot be joined: {}",
            cause.toString(), cause);
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
