// SPDX-License-Identifier: Apache-2.0
package org.grim.campaign.misuse;

import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.regex.Pattern;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.SleepingMillisIdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.EndpointId;
import org.grim.GrimConfig;
import org.grim.HandlerId;


/** Values for parameters: mostly good, else at an edge, huge, negative, or null. Thread: its caller's. */
final class Arguments
{
    private static final int[] INTS = {
        0, 1, -1, 2, 3, 15, 16, 17, 31, 32, 64, 1_000, 4_096, 7_168, 65_504, 65_505, 200_000, 1 << 20,
        Integer.MAX_VALUE, Integer.MIN_VALUE, Integer.MAX_VALUE - 7};
    private static final int[] LENGTHS = {0, 8, 32, 900, 7_000, 60_000, 250_000};
    private static final int[] BUFFER_LENGTHS = {0, 1, 32, 1_000, 8_000, 70_000, 300_000};
    private static final List<String> NAMES = List.of("a", "b", "c", "sink", "echo", "x".repeat(60), "x".repeat(200));
    private static final List<String> STRINGS = List.of(
        "", "\0", "\u001b[2J\n", "x".repeat(10_000), "\u202e", "shmem", "null", "myrinet", "no/such", "host-cpu", "1");
    private static final Pattern USER_INTERFACE = Pattern.compile("(Handler|Listener|Publisher|Sender)$");
    private static final List<String> KEYS = GrimConfig.load().settings().keySet().stream()
        .filter(key -> !Set.of("grim.cluster.directory", "grim.handlers.resolve-timeout").contains(key)).sorted()
        .toList();

    private final SplittableRandom random;
    private final Pool own;
    private final Pool shared;
    private final Path directory;
    private final Handlers handlers;
    private boolean hasNull;

    Arguments(
        final SplittableRandom random, final Pool own, final Pool shared, final Path directory, final Handlers handlers)
    {
        this.random = random;
        this.own = own;
        this.shared = shared;
        this.directory = directory;
        this.handlers = handlers;
    }

    /** Action of a callback. */
    interface Handlers
    {
        void onCall(Object... arguments);

        /** A handler failed, which none of these does. */
        void onError(Throwable error);
    }

    Object[] of(final Parameter... parameters)
    {
        hasNull = false;
        final Object[] values = new Object[parameters.length];
        for (int i = 0; i < values.length; i++)
        {
            values[i] = value(parameters[i].getType(), parameters[i].getName());
            hasNull |= values[i] == null;
        }
        return values;
    }

    /** Whether the last arguments had a null, at any depth. */
    boolean hasNull()
    {
        return hasNull;
    }

    /** An object that calls returned, of this thread's own nodes more often than not; null if there is none. */
    Object instance(final Class<?> type)
    {
        final Object first = random.nextInt(3) > 0 ? own.any(type, random) : null;
        return first == null ? shared.any(type, random) : first;
    }

    /** A configuration whose cluster is in the sandbox, small, and often with something odd. */
    GrimConfig configuration()
    {
        final Map<String, Object> settings = new TreeMap<>();
        settings.put("grim.node.name", NAMES.get(random.nextInt(3)) + random.nextInt(3));
        settings.put("grim.transports",
            List.of(List.of("shmem"), List.of("null", "shmem"), List.of("shmem", "myrinet"), List.of("null"),
                List.of("myrinet")).get(random.nextInt(100) < 60 ? 0 : random.nextInt(5)));
        settings.put("grim.node.host", random.nextInt(4) == 0 ? "far" : "near");
        if (random.nextInt(6) == 0)
        {
            settings.put(KEYS.get(random.nextInt(KEYS.size())), INTS[random.nextInt(12)]);
        }
        final GrimConfig.Builder builder = Settings.small(directory);
        settings.forEach(builder::set);
        return builder.errorHandler(handlers::onError).build();
    }

    private Object value(final Class<?> type, final String name)
    {
        if (type == int.class || type == short.class || type == byte.class || type == char.class)
        {
            return number(name);
        }
        if (type == long.class)
        {
            return random.nextInt(3) > 0 ? (long)number(name) : random.nextInt(2) == 0 ? random.nextLong() :
                Long.MAX_VALUE - random.nextInt(2);
        }
        if (type == boolean.class)
        {
            return random.nextBoolean();
        }
        if (random.nextInt(25) == 0)
        {
            hasNull = true;
            return null;
        }
        if (type == GrimConfig.class)
        {
            return configuration();
        }
        if (type.isEnum())
        {
            return type.getEnumConstants()[random.nextInt(type.getEnumConstants().length)];
        }
        return reference(type, name);
    }

    private Object reference(final Class<?> type, final String name)
    {
        if (type.isArray())
        {
            final Object array = Array.newInstance(type.getComponentType(), random.nextInt(6));
            for (int i = 0; i < Array.getLength(array); i++)
            {
                Array.set(array, i, value(type.getComponentType(), name));
            }
            return array;
        }
        if (type == String.class)
        {
            return string(name);
        }
        if (type == Path.class)
        {
            return directory.resolve(List.of(".", "sub", "y".repeat(120), "file/in/file").get(random.nextInt(4)));
        }
        if (type == Duration.class)
        {
            return random.nextInt(8) > 0 ? Duration.ofMillis(random.nextInt(20)) : Duration.ofSeconds(Long.MIN_VALUE);
        }
        if (type == HandlerId.class && random.nextInt(3) > 0)
        {
            return HandlerId.of(16 + random.nextInt(4));
        }
        if (type == EndpointId.class && random.nextInt(3) > 0)
        {
            return EndpointId.of(random.nextInt(6), 0, random.nextInt(2));
        }
        if (DirectBuffer.class.isAssignableFrom(type) && type.isAssignableFrom(UnsafeBuffer.class) &&
            (random.nextInt(4) > 0 || type == MutableDirectBuffer.class))
        {
            final int length = BUFFER_LENGTHS[random.nextInt(BUFFER_LENGTHS.length)];
            return new UnsafeBuffer(random.nextBoolean() ? ByteBuffer.allocate(length) :
                ByteBuffer.allocateDirect(length));
        }
        if (type == IdleStrategy.class)
        {
            return new SleepingMillisIdleStrategy(1);
        }
        final Object instance = instance(type);
        if (instance != null)
        {
            return instance;
        }
        if (type == Object.class)
        {
            return random.nextBoolean() ? (Object)number(name) : string(name);
        }
        if (isForUsers(type))
        {
            return Proxy.newProxyInstance(Arguments.class.getClassLoader(), new Class<?>[]{type}, this::onProxy);
        }
        if (Throwable.class.isAssignableFrom(type))
        {
            return new IllegalStateException("misuse");
        }
        hasNull = true;
        return null;
    }

    /** Interfaces that an application implements; of others GRIM's own implementations are all that counts. */
    private static boolean isForUsers(final Class<?> type)
    {
        return type.isInterface() && (type == Runnable.class || USER_INTERFACE.matcher(type.getSimpleName()).find());
    }

    private Object onProxy(final Object proxy, final Method method, final Object[] arguments)
    {
        if (method.getDeclaringClass() == Object.class)
        {
            return switch (method.getName())
            {
                case "equals" -> proxy == arguments[0];
                case "hashCode" -> System.identityHashCode(proxy);
                default -> "proxy of " + proxy.getClass().getInterfaces()[0].getSimpleName();
            };
        }
        handlers.onCall(arguments == null ? new Object[0] : arguments);
        final Class<?> type = method.getReturnType();
        return type == boolean.class ? false : type == int.class ? 0 : type == long.class ? (Object)0L : null;
    }

    private int number(final String name)
    {
        final int any = INTS[random.nextInt(INTS.length)];
        return random.nextInt(4) == 0 ? any : switch (name)
        {
            case "offset", "regionOffset", "targetOffset", "position", "index" -> random.nextInt(4);
            case "length", "totalLength", "bytes", "available" -> LENGTHS[random.nextInt(LENGTHS.length)];
            case "node", "device", "channel", "sourceChannel" -> random.nextInt(3);
            case "limit" -> 1 + random.nextInt(50);
            default -> any;
        };
    }

    private String string(final String name)
    {
        if ("path".equals(name))
        {
            return KEYS.get(random.nextInt(KEYS.size()));
        }
        return random.nextInt(3) > 0 ? NAMES.get(random.nextInt(NAMES.size())) :
            STRINGS.get(random.nextInt(STRINGS.size()));
    }
}
