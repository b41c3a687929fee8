// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;

import org.agrona.UnsafeApi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Work that the JVM does when it exits, after all shutdown hooks of the application. The application's hooks run at the
 * same time, and use connections; the JDK has places behind them for itself. Agrona's access to memory, which GRIM
 * needs anyway, opens them.
 * <p>Thread: any; no state.
 */
final class LastHook
{
    private static final Logger LOGGER = LoggerFactory.getLogger(LastHook.class);
    private static final int FIRST_PLACE = 9;               // Of ten; the JDK uses the first three.
    private static final int LAST_PLACE = 3;

    private LastHook()
    {
    }

    /**
     * Has the JVM do some work at its very end.
     *
     * @param work to be done once.
     * @return false if the JDK does not permit it, or exits already: then the process ends as if it were killed.
     */
    static boolean tryAdd(final Runnable work)
    {
        try
        {
            final MethodHandle add = trusted().findStatic(Class.forName("java.lang.Shutdown"), "add",
                MethodType.methodType(void.class, int.class, boolean.class, Runnable.class));
            int place = FIRST_PLACE;
            while (place >= LAST_PLACE && !tryAdd(add, place, work))
            {
                place--;
            }
            return place >= LAST_PLACE;
        }
        catch (final Throwable ex)                          // Of a method of the JDK's that may change at any time.
        {
            LOGGER.debug("no work can be done when the JVM exits: its connections end as if it were killed", ex);
            return false;
        }
    }

    private static boolean tryAdd(final MethodHandle add, final int place, final Runnable work) throws Throwable
    {
        try
        {
            add.invokeExact(place, true, work);
            return true;
        }
        catch (final InternalError ex)
        {
            return false;                                   // Taken, such as by another copy of GRIM.
        }
    }

    private static MethodHandles.Lookup trusted() throws NoSuchFieldException
    {
        final Field field = MethodHandles.Lookup.class.getDeclaredField("IMPL_LOOKUP");
        return (MethodHandles.Lookup)UnsafeApi.getReference(
            UnsafeApi.staticFieldBase(field), UnsafeApi.staticFieldOffset(field));
    }
}
