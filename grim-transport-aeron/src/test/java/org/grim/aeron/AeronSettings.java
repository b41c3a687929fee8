// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.grim.GrimConfig;
import org.grim.buffer.OwnFiles;
import org.grim.crypto.ClusterKey;

/** Common settings of the suites over Aeron: small logs, so that they fill and wrap at once; patience elsewhere. */
public final class AeronSettings
{
    static final int TERM_LENGTH = 64 << 10;
    /** Bytes of a small message in a log: Aeron's header, GRIM's, a few of payload. */
    static final int SMALL_FRAME_LENGTH = 96;
    static final long QUIET_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private AeronSettings()
    {
    }

    static Map<String, Object> with(final Map<String, Object> settings, final Path directory)
    {
        settings.put("grim.transports", List.of("aeron"));
        settings.put("grim.cluster.directory", directory.toString());
        settings.putIfAbsent("grim.aeron.term-length", TERM_LENGTH);
        settings.putIfAbsent("grim.aeron.linger", "20ms");
        settings.put("grim.aeron.connect-timeout", "10s");
        return settings;
    }

    /** The same with a key, which all nodes of the directory share. */
    static Map<String, Object> sealed(final Map<String, Object> settings, final Path directory)
    {
        settings.put("grim.network.key-file", keyFile(directory, "cluster.key", 1).toString());
        return with(settings, directory.resolve("cluster"));
    }

    /** A file with a key, which is made if it is not there. */
    public static Path keyFile(final Path directory, final String name, final int value)
    {
        final Path file = directory.resolve(name);
        try
        {
            if (!Files.exists(file))
            {
                final byte[] secret = new byte[ClusterKey.LENGTH_MIN];
                secret[0] = (byte)value;
                Files.write(Files.createFile(file, OwnFiles.fileMode()), secret);
            }
            return file;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** A node that a busy machine may hold up for long before anything counts as lost. */
    static GrimConfig.Builder patient(final Path directory, final String name)
    {
        return shortTimes(directory, name).set("grim.aeron.silence-timeout", "30s");
    }

    /** A node that soon takes what is silent for lost. */
    static GrimConfig.Builder shortTimes(final Path directory, final String name)
    {
        return GrimConfig.builder().nodeName(name).transports("aeron").directory(directory)
            .set("grim.aeron.term-length", TERM_LENGTH).set("grim.aeron.connect-timeout", "10s")
            .set("grim.aeron.silence-timeout", "2s").set("grim.aeron.linger", "20ms")
            .set("grim.handlers.resolve-timeout", "60s");
    }

    /** Messages that stand in the sender's window, and in the receiver's. */
    static int capacity(final int frameLength)
    {
        return TERM_LENGTH / frameLength + 2;
    }
}
