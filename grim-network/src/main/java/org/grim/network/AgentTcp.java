// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import org.jgroups.Address;
import org.jgroups.PhysicalAddress;
import org.jgroups.logging.Log;
import org.jgroups.protocols.TCP;

/**
 * JGroups' TCP, whose sender does not wait for connections: it is one thread for all hosts, and one that cannot be
 * reached would keep it from the others for the whole time-out, at each message. Messages wait for their connection; if
 * there is none they are dropped, and those who need them to arrive repeat them. It can be asked who listens, too. What
 * it logs of connections is limited: strangers who reach the port cause as much of it as they like.
 * <p>Thread: any.
 */
final class AgentTcp extends TCP
{
    private static final int THREAD_COUNT_MAX = 64;
    private static final int WAITING_COUNT_MAX = 1_000;
    private static final long THREAD_IDLE_S = 5;

    private final Map<Address, Queue<byte[]>> waiting = new HashMap<>();
    private final ThreadPoolExecutor connector = new ThreadPoolExecutor(THREAD_COUNT_MAX, THREAD_COUNT_MAX,
        THREAD_IDLE_S, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task ->
        {
            final Thread thread = new Thread(task, "grim-agent-connect");
            thread.setDaemon(true);
            return thread;
        });

    private volatile boolean isStopped;

    AgentTcp()
    {
        connector.allowCoreThreadTimeOut(true);
    }

    @Override
    public void start() throws Exception
    {
        isStopped = false;
        super.start();
        srv.log(LimitedLog.of(log, System::nanoTime));
    }

    /** Before JGroups closes what there is: a connection that is made meanwhile is closed by who makes it. */
    @Override
    public void stop()
    {
        isStopped = true;
        super.stop();
    }

    @Override
    public void send(final Address destination, final byte[] data, final int offset, final int length)
        throws Exception
    {
        if (srv != null && !tryQueue(destination, data, offset, length))
        {
            super.send(destination, data, offset, length);
        }
    }

    /** Whether an agent's port accepts a connection, which stays open and is used for messages. */
    boolean canReach(final PhysicalAddress address)
    {
        try
        {
            return srv.getConnection(address).isConnected();
        }
        catch (final Exception ex)              // JGroups declares no other: nobody listens there.
        {
            log.trace("%s does not answer: %s", address, ex);
            return false;
        }
        finally
        {
            closeIfStopped();
        }
    }

    /** Has a message wait, unless there is a connection to send it over. */
    private boolean tryQueue(final Address destination, final byte[] data, final int offset, final int length)
    {
        synchronized (waiting)
        {
            Queue<byte[]> messages = waiting.get(destination);
            if (messages == null)
            {
                if (srv.connectionEstablishedTo(destination) || destination.equals(srv.localAddress()))
                {
                    return false;
                }
                messages = new ArrayDeque<>();
                waiting.put(destination, messages);
                startSending(destination);
            }
            if (messages.size() < WAITING_COUNT_MAX)
            {
                messages.add(Arrays.copyOfRange(data, offset, offset + length));
            }
            return true;
        }
    }

    /** If the system has no thread left the next message tries again. */
    private void startSending(final Address destination)
    {
        boolean isStarted = false;
        try
        {
            connector.execute(() -> sendWaiting(destination));
            isStarted = true;
        }
        finally
        {
            if (!isStarted)
            {
                waiting.remove(destination);
            }
        }
    }

    private void sendWaiting(final Address destination)
    {
        boolean isDone = false;
        try
        {
            for (byte[] message = next(destination); message != null; message = next(destination))
            {
                super.send(destination, message, 0, message.length);
            }
            isDone = true;
        }
        catch (final Exception | Error ex)      // JGroups declares Exception. The heap may be full for a moment.
        {
            log.trace("%s cannot be reached: %s", destination, ex);
        }
        finally
        {
            if (!isDone)
            {
                synchronized (waiting)
                {
                    waiting.remove(destination);
                }
            }
            closeIfStopped();
        }
    }

    /** Else the other side would keep it, and refuse those of the next agent at this address. */
    private void closeIfStopped()
    {
        if (isStopped)
        {
            srv.clearConnections();
        }
    }

    /** The next message that waits; null, and none waits any more, if there is none. */
    private byte[] next(final Address destination)
    {
        synchronized (waiting)
        {
            final byte[] message = waiting.get(destination).poll();
            if (message == null)
            {
                waiting.remove(destination);
            }
            return message;
        }
    }

    /** Passes a few warnings and errors in a while, then says how many it did not pass. Thread: any. */
    static final class LimitedLog implements InvocationHandler
    {
        static final int COUNT_MAX = 10;
        static final long WHILE_NS = TimeUnit.SECONDS.toNanos(60);
        private static final Set<String> LIMITED = Set.of("fatal", "error", "warn");

        private final Log log;
        private final LongSupplier clock;
        private long beginNs;
        private int count;

        private LimitedLog(final Log log, final LongSupplier clock)
        {
            this.log = log;
            this.clock = clock;
            beginNs = clock.getAsLong();
        }

        static Log of(final Log log, final LongSupplier clock)
        {
            return (Log)Proxy.newProxyInstance(
                Log.class.getClassLoader(), new Class<?>[] {Log.class}, new LimitedLog(log, clock));
        }

        @Override
        public Object invoke(final Object proxy, final Method method, final Object[] arguments) throws Throwable
        {
            if (LIMITED.contains(method.getName()) && !tryPass())
            {
                return null;
            }
            try
            {
                return method.invoke(log, arguments);
            }
            catch (final InvocationTargetException ex)
            {
                throw ex.getCause();
            }
        }

        private synchronized boolean tryPass()
        {
            final long nowNs = clock.getAsLong();
            if (nowNs - beginNs >= WHILE_NS)
            {
                if (count > COUNT_MAX)
                {
                    log.warn("%d lines like those before were left out", count - COUNT_MAX);
                }
                beginNs = nowNs;
                count = 0;
            }
            count++;
            return count <= COUNT_MAX;
        }
    }
}
