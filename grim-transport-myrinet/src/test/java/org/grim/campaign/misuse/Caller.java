// SPDX-License-Identifier: Apache-2.0
package org.grim.campaign.misuse;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.status.CountersReader;
import org.grim.FrameClaim;
import org.grim.Grim;
import org.grim.MemoryRegion;

/**
 * Calls public methods at random, with random arguments, on objects that earlier calls returned, of its own nodes and
 * of others'; also inside handlers, and interrupted at times.
 * <p>Thread: its own.
 */
final class Caller implements Runnable, Arguments.Handlers
{
    private static final int DEPTH_MAX = 2;
    private static final int OWN_NODES_MAX = 3;

    private final Sandbox sandbox;
    private final SplittableRandom random;
    private final Pool own = new Pool();
    private final Arguments arguments;
    private final List<Executable> api;
    private int openCount;
    private int depth;
    private volatile String now = "";
    private volatile long count;

    Caller(final Sandbox sandbox, final long seed)
    {
        this.sandbox = sandbox;
        random = new SplittableRandom(seed);
        api = sandbox.api.all();
        arguments = new Arguments(random, own, sandbox.pool, sandbox.directory, this);
    }

    @Override
    public void run()
    {
        while (!sandbox.isStopped)
        {
            step();
        }
        own.clear();
    }

    @SuppressWarnings("NonAtomicVolatileUpdate")        // One thread writes.
    void step()
    {
        count++;
        if (openCount == 0 || random.nextInt(400) == 0)
        {
            enable();
        }
        final int dice = random.nextInt(100);
        if (dice == 0)
        {
            Thread.currentThread().interrupt();
        }
        else if (dice < 8)
        {
            Thread.interrupted();
        }
        if (random.nextInt(3) == 0)
        {
            pollOwn();
        }
        else if (random.nextInt(8) == 0)
        {
            useHandedOut();
        }
        else
        {
            call(api.get(random.nextInt(api.size())));
        }
    }

    /** Current call, and the number of steps made. */
    String now()
    {
        return now;
    }

    long count()
    {
        return count;
    }

    private void enable()
    {
        try
        {
            now = "Grim.enable";
            final Grim grim = openCount < OWN_NODES_MAX ? sandbox.enable(arguments.configuration()) : null;
            if (grim != null)
            {
                openCount++;
                keep(grim);
            }
        }
        catch (final Throwable ex)
        {
            sandbox.findings.onCall(sandbox.enableMethod, ex, false);
        }
    }

    private void pollOwn()
    {
        final Grim grim = (Grim)own.any(Grim.class, random);
        if (grim != null)
        {
            invoke(sandbox.pollMethod, grim);
        }
    }

    private void call(final Executable executable)
    {
        if (executable.getName().equals("enable"))
        {
            enable();                   // Into the sandbox's cluster.
            return;
        }
        if (executable.equals(sandbox.closeMethod) && random.nextInt(12) > 0)
        {
            return;
        }
        Object target = null;
        if (executable instanceof Method && !Modifier.isStatic(executable.getModifiers()))
        {
            target = arguments.instance(executable.getDeclaringClass());
            if (target == null)
            {
                return;                 // Nothing has returned one yet.
            }
        }
        if (executable.equals(sandbox.closeMethod))
        {
            openCount = 0;
        }
        final Object[] values = arguments.of(executable.getParameters());
        // Calls of a link or a transport on an empty claim or stream say nothing about GRIM.
        final boolean isEmptyShell = arguments.hasNull() && (executable instanceof Constructor ||
            FrameClaim.class.isAssignableFrom(executable.getDeclaringClass()));
        if (!isEmptyShell)
        {
            invoke(executable, target, values);
        }
    }

    private void invoke(final Executable executable, final Object target, final Object... values)
    {
        // A handler may have made arguments of its own meanwhile.
        final boolean hasNull = Arrays.asList(values).contains(null) || (values.length > 0 && arguments.hasNull());
        final String outer = now;
        now = PublicApi.nameOf(executable);
        Throwable thrown = null;
        try
        {
            final Object result = executable instanceof Constructor<?> constructor ? constructor.newInstance(values) :
                ((Method)executable).invoke(target, values);
            keep(result);
        }
        catch (final InvocationTargetException ex)
        {
            thrown = ex.getCause();
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new IllegalStateException(executable.toString(), ex);
        }
        finally
        {
            now = outer;
        }
        sandbox.findings.onCall(executable, thrown, hasNull);
    }

    private void keep(final Object result)
    {
        if (result == null || result instanceof Number || result instanceof Boolean || result instanceof String)
        {
            return;
        }
        if (result instanceof Grim grim)
        {
            keep(grim.endpoint());
            keep(grim.handlers());
            keep(grim.endpoint().memory());
        }
        own.add(result, random);
        sandbox.pool.add(result, random);
    }

    /** In a handler, a listener, or another callback. */
    @Override
    public void onCall(final Object... values)
    {
        for (final Object value : values)
        {
            keep(value);
        }
        if (depth >= DEPTH_MAX || random.nextInt(3) > 0)
        {
            return;
        }
        depth++;
        try
        {
            call(api.get(random.nextInt(api.size())));
        }
        finally
        {
            depth--;
        }
    }

    @Override
    public void onError(final Throwable error)
    {
        sandbox.findings.onError(error);
    }

    /** Buffers, counters, agents: objects from GRIM that are not of GRIM's types. */
    private void useHandedOut()
    {
        final List<Class<?>> types = List.of(CountersReader.class, DirectBuffer.class, MemoryRegion.class, Agent.class,
            IdleStrategy.class);
        final Object object = arguments.instance(types.get(random.nextInt(types.size())));
        if (object == null)
        {
            return;
        }
        final String outer = now;
        now = object.getClass().getSimpleName();
        try
        {
            if (object instanceof CountersReader reader)
            {
                reader.forEach((value, id, label) -> random.split());
            }
            else if (object instanceof DirectBuffer buffer && !(object instanceof MutableDirectBuffer mutable &&
                mutable.isExpandable()))
            {
                read(buffer);
            }
            else if (object instanceof MemoryRegion region)
            {
                write(region.buffer());
            }
            else if (object instanceof Agent agent)
            {
                agent.doWork();
            }
            else if (object instanceof IdleStrategy idle)
            {
                idle.idle(random.nextInt(2));
            }
        }
        catch (final IndexOutOfBoundsException ex)
        {
            // Another thread has freed the region meanwhile: its buffer is empty.
            if (!(object instanceof DirectBuffer || object instanceof MemoryRegion) || capacityOf(object) > 0)
            {
                sandbox.findings.onUse(object, ex);
            }
        }
        catch (final Throwable ex)
        {
            sandbox.findings.onUse(object, ex);
        }
        finally
        {
            now = outer;
        }
    }

    private void read(final DirectBuffer buffer)
    {
        if (buffer.capacity() >= Long.BYTES)
        {
            buffer.getLong(random.nextInt(buffer.capacity() - Long.BYTES + 1));
        }
    }

    private void write(final AtomicBuffer buffer)
    {
        buffer.putLongVolatile(random.nextInt(buffer.capacity() / Long.BYTES) * Long.BYTES, random.nextLong());
    }

    private static int capacityOf(final Object object)
    {
        return object instanceof MemoryRegion region ? region.buffer().capacity() : ((DirectBuffer)object).capacity();
    }
}
