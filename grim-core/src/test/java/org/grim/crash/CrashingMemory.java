// SPDX-License-Identifier: Apache-2.0
package org.grim.crash;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;

/**
 * Memory each of whose stores is a step of a {@link Lifetime}.
 * <p>Thread: the life's.
 */
public final class CrashingMemory implements InvocationHandler
{
    private final AtomicBuffer memory;
    private final Lifetime life;

    private CrashingMemory(final AtomicBuffer memory, final Lifetime life)
    {
        this.memory = memory;
        this.life = life;
    }

    /** The same memory, as a process with that life sees it. */
    public static AtomicBuffer over(final AtomicBuffer memory, final Lifetime life)
    {
        return (AtomicBuffer)Proxy.newProxyInstance(
            AtomicBuffer.class.getClassLoader(), new Class<?>[]{AtomicBuffer.class}, new CrashingMemory(memory, life));
    }

    @Override
    public Object invoke(final Object proxy, final Method method, final Object[] arguments) throws Throwable
    {
        final String name = method.getName();
        final boolean isOrdered = name.startsWith("compareAnd") || name.startsWith("getAnd") ||
            name.endsWith("Release") || (name.startsWith("put") && name.endsWith("Volatile"));
        final boolean isPlain = !isOrdered && name.startsWith("put");
        byte[] before = null;
        if (isOrdered || isPlain)
        {
            life.step();
            if (isPlain)
            {
                before = new byte[lengthOf(name, arguments)];
                memory.getBytes((int)arguments[0], before);
            }
        }
        final Object result;
        try
        {
            result = method.invoke(memory, arguments);
        }
        catch (final InvocationTargetException ex)
        {
            throw ex.getCause();
        }
        if (isOrdered)
        {
            life.ordered();
        }
        else if (isPlain)
        {
            life.stored(memory, (int)arguments[0], before);
        }
        return result;
    }

    private static int lengthOf(final String name, final Object[] arguments)
    {
        return switch (name)
        {
            case "putInt" -> Integer.BYTES;
            case "putLong" -> Long.BYTES;
            case "putByte" -> Byte.BYTES;
            case "putBytes" -> arguments[1] instanceof DirectBuffer ? (int)arguments[3] : ((byte[])arguments[1]).length;
            default -> throw new IllegalStateException("store " + name + " is not modelled");
        };
    }
}
