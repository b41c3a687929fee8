// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.agrona.concurrent.NoOpIdleStrategy;
import org.grim.buffer.Buffers;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Each public call with null for one argument: an exception names the argument, if the call needs it. */
final class NullArgumentsTest
{
    private static final List<Class<?>> CLASSES = List.of(Grim.class, GrimConfig.class, GrimConfig.Builder.class,
        Endpoint.class, Endpoint.Sender.class, DeviceEndpoint.class, DeviceSpec.class, Link.class, SharedLink.class,
        HandlerRegistry.class, HandlerId.class, EndpointId.class, NodeInfo.class, DeviceInfo.class, NodeHealth.class,
        RemoteMemory.class, RemoteLink.class, RemoteRegion.class, FrameSender.class, MessageStream.class,
        GrimException.class);

    private final List<Object> samples = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private int callCount;

    @Test
    void shouldNameTheArgumentThatIsNull() throws ReflectiveOperationException
    {
        final GrimConfig config = GrimConfig.builder().transports("null").set("grim.channels.count", 3)
            .set("grim.handlers.resolve-timeout", "60s").build();
        try (Grim grim = Grim.enable(config))
        {
            final HandlerId handler = grim.handlers().register("handler", message ->
            {
                // Only its number is used.
            });
            grim.start();
            final Endpoint endpoint = grim.endpoint();
            final MemoryRegion region = endpoint.memory().register(64);
            final FrameReceiver window = endpoint.memory().receiveFrames(1, 64);
            samples.addAll(List.of(grim, config, GrimConfig.builder(), grim.openDevice(
                DeviceSpec.of(NodeInfo.Device.FPGA).onChannels(2, 1)), endpoint.link(grim.node()),
                endpoint.sharedLink(endpoint.id()), grim.handlers(), handler, endpoint.id(), grim.node(),
                endpoint.memory(), endpoint.memory().link(endpoint.id()), region, region.remote(),
                endpoint.memory().sendFrames(window.remote(), 64), endpoint.newStream(), endpoint.newClaim(),
                endpoint.newReply(), endpoint.memory().newAtomic(), Buffers.allocate(64), Duration.ZERO,
                MemoryRegion.Rights.READ_WRITE, NodeInfo.Device.FPGA, DeviceSpec.of(NodeInfo.Device.FPGA),
                NoOpIdleStrategy.INSTANCE, "text"));
            for (final Class<?> each : CLASSES)
            {
                callAll(each);
            }
        }

        assertTrue(callCount > 100, "calls=" + callCount);
        assertEquals("", String.join("\n", failures));
    }

    private void callAll(final Class<?> each) throws ReflectiveOperationException
    {
        for (final Method one : each.getDeclaredMethods())
        {
            if (Modifier.isPublic(one.getModifiers()) && !one.isSynthetic() && !one.getName().equals("equals"))
            {
                for (int i = 0; i < one.getParameterCount(); i++)
                {
                    final Class<?> type = one.getParameterTypes()[i];
                    if (!type.isPrimitive())
                    {
                        call(one, i, 8);
                    }
                }
            }
        }
    }

    private void call(final Method one, final int index, final int number) throws ReflectiveOperationException
    {
        final Object[] arguments = Arrays.stream(one.getParameterTypes()).map(type -> sample(type, number)).toArray();
        arguments[index] = null;
        final Object receiver = sample(one.getDeclaringClass(), 0);
        if (receiver == null && !Modifier.isStatic(one.getModifiers()))
        {
            return;
        }
        callCount++;
        try
        {
            one.invoke(receiver, arguments);
        }
        catch (final InvocationTargetException ex)
        {
            final String message = ex.getCause().getMessage();
            if (ex.getCause() instanceof NullPointerException && (message == null || message.indexOf(' ') >= 0))
            {
                failures.add(one + " argument " + index + ": " + ex.getCause());
            }
        }
    }

    private Object sample(final Class<?> type, final int number)
    {
        if (type == int.class)
        {
            return number;
        }
        if (type.isPrimitive())
        {
            return Array.get(Array.newInstance(type, 1), 0);
        }
        return samples.stream().filter(type::isInstance).findFirst().orElse(null);
    }
}
