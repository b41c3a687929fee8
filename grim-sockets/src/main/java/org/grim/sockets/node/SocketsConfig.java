// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets.node;

import java.util.concurrent.TimeUnit;

import org.grim.GrimConfig;
import org.grim.transport.Settings;

/**
 * The keys below {@code grim.sockets}.
 *
 * @param only             addresses that must not be TCP.
 * @param never            addresses that are TCP.
 * @param bufferLength     bytes that a connection holds for its reader.
 * @param spinNs           how long a waiting thread looks before it sleeps.
 * @param connectTimeoutNs how long connecting waits for an answer.
 */
public record SocketsConfig(
    AddressPatterns only, AddressPatterns never, int bufferLength, long spinNs, long connectTimeoutNs)
{
    private static final int PATTERN_COUNT_MAX = 1000;
    private static final int PATTERN_LENGTH_MAX = 100;
    private static final int BUFFER_LENGTH_MIN = 4096;
    private static final int BUFFER_LENGTH_MAX = 64 << 20;

    /**
     * Reads the keys.
     *
     * @param config with all keys.
     * @return the settings.
     * @throws IllegalArgumentException naming key, value and limit if a value is out of its range.
     */
    public static SocketsConfig of(final GrimConfig config)
    {
        final Settings settings = new Settings(config.settings());
        final long spinNs = settings.nanos("sockets.spin", 0, TimeUnit.SECONDS.toNanos(1));
        return new SocketsConfig(
            patterns(settings, "sockets.only"), patterns(settings, "sockets.never"),
            settings.powerOfTwoBytes("sockets.buffer-length", BUFFER_LENGTH_MIN, BUFFER_LENGTH_MAX),
            Runtime.getRuntime().availableProcessors() > 1 ? spinNs : 0,
            settings.nanos("sockets.connect-timeout", TimeUnit.MILLISECONDS.toNanos(1), TimeUnit.MINUTES.toNanos(1)));
    }

    private static AddressPatterns patterns(final Settings settings, final String key)
    {
        return AddressPatterns.parse("grim." + key, settings.texts(key, PATTERN_COUNT_MAX, PATTERN_LENGTH_MAX));
    }
}
