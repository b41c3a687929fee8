// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.guard;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

import org.grim.ni.board.HostEngine;

/** A host engine that holds the last piece of data back until something else is asked of it but a notification. */
final class HastyEngine
{
    private final HostEngine engine;
    private Method heldMethod;
    private Object[] held;

    private HastyEngine(final HostEngine engine)
    {
        this.engine = engine;
    }

    static HostEngine over(final HostEngine engine)
    {
        final HastyEngine hasty = new HastyEngine(engine);
        return (HostEngine)Proxy.newProxyInstance(
            HostEngine.class.getClassLoader(), new Class<?>[]{HostEngine.class}, hasty::call);
    }

    private Object call(final Object proxy, final Method method, final Object[] arguments) throws Throwable
    {
        return switch (method.getName())
        {
            case "room" -> engine.room() - (held == null ? 0 : 1);
            case "writeNotification" ->
            {
                final Object nothing = invoke(method, arguments);
                flush();
                yield nothing;
            }
            case "write" ->
            {
                flush();
                heldMethod = method;
                held = arguments.clone();
                yield null;
            }
            default ->
            {
                flush();
                yield invoke(method, arguments);
            }
        };
    }

    private void flush() throws Throwable
    {
        if (held != null)
        {
            final Object[] arguments = held;
            held = null;
            invoke(heldMethod, arguments);
        }
    }

    private Object invoke(final Method method, final Object[] arguments) throws Throwable
    {
        try
        {
            return method.invoke(engine, arguments);
        }
        catch (final InvocationTargetException ex)
        {
            throw ex.getCause();
        }
    }
}
