// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;

/**
 * Memory whose user dies before a given store. Plain stores since the last one with release order may each have become
 * visible or not: the test says which.
 * <p>Thread: one.
 */
final class CrashingMemory implements InvocationHandler
{
    private final AtomicBuffer memory;
    private final List<Undo> unordered = new ArrayList<>();
    private int storesLeft;

    /** What a plain store overwrote. */
    private static final class Undo
    {
        private final int index;
        private final byte[] bytes;

        Undo(final int index, final byte[] bytes)
        {
            this.index = index;
            this.bytes = bytes;
        }
    }

    /** The process is dead: unwinds to the test. */
    static final class Death extends RuntimeException
    {
        private static final long serialVersionUID = 1L;

        Death()
        {
            super("process killed", null, false, false);
        }
    }

    private CrashingMemory(final AtomicBuffer memory, final int storeCount)
    {
        this.memory = memory;
        storesLeft = storeCount;
    }

    static CrashingMemory over(final AtomicBuffer memory, final int storeCount)
    {
        return new CrashingMemory(memory, storeCount);
    }

    AtomicBuffer buffer()
    {
        return (AtomicBuffer)Proxy.newProxyInstance(
            AtomicBuffer.class.getClassLoader(), new Class<?>[]{AtomicBuffer.class}, this);
    }

    /** How many plain stores may or may not have become visible when the process died. */
    int unorderedCount()
    {
        return unordered.size();
    }

    /** Takes back those plain stores whose bit is not set. */
    void keepOnly(final int mask)
    {
        for (int i = unordered.size() - 1; i >= 0; i--)
        {
            if ((mask & 1 << i) == 0)
            {
                memory.putBytes(unordered.get(i).index, unordered.get(i).bytes);
            }
        }
    }

    /** Stores that were left when the run ended without a death. */
    int storesLeft()
    {
        return storesLeft;
    }

    @Override
    public Object invoke(final Object proxy, final Method method, final Object[] arguments) throws Throwable
    {
        final String name = method.getName();
        final boolean isOrdered = name.startsWith("compareAnd") || name.startsWith("getAnd") ||
            name.endsWith("Release") || (name.startsWith("put") && name.endsWith("Volatile"));
        if (isOrdered || name.startsWith("put"))
        {
            if (storesLeft == 0)
            {
                throw new Death();
            }
            storesLeft--;
            if (!isOrdered)
            {
                remember(name, arguments);
            }
        }
        try
        {
            final Object result = method.invoke(memory, arguments);
            if (isOrdered)
            {
                unordered.clear();
            }
            return result;
        }
        catch (final InvocationTargetException ex)
        {
            throw ex.getCause();
        }
    }

    private void remember(final String name, final Object[] arguments)
    {
        final int length = switch (name)
        {
            case "putInt" -> Integer.BYTES;
            case "putLong" -> Long.BYTES;
            case "putByte" -> Byte.BYTES;
            case "putBytes" -> arguments[1] instanceof DirectBuffer ? (int)arguments[3] : ((byte[])arguments[1]).length;
            default -> throw new IllegalStateException("store " + name + " is not modelled");
        };
        final byte[] bytes = new byte[length];
        memory.getBytes((int)arguments[0], bytes);
        unordered.add(new Undo((int)arguments[0], bytes));
    }
}
