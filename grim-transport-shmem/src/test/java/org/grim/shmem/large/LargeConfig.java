// SPDX-License-Identifier: Apache-2.0
package org.grim.shmem.large;

import java.nio.file.Path;
import java.util.Random;

import org.grim.GrimConfig;

/** Common settings of the processes of these tests. */
final class LargeConfig
{
    static final String RECEIVER = "receiver";
    static final String TAKE = "take";
    static final int MIB = 1 << 20;
    static final int LENGTH_MAX = 16 * MIB;
    static final long OUTBOX_LENGTH = 32L * MIB;
    static final long REASSEMBLY_LENGTH = 32L * MIB;

    private LargeConfig()
    {
    }

    static GrimConfig.Builder of(final Path directory, final String name, final boolean goesInParts)
    {
        return GrimConfig.builder().directory(directory).nodeName(name).transports("shmem")
            .set("grim.handlers.resolve-timeout", "30s")
            .set("grim.message.reassembly-length", REASSEMBLY_LENGTH)
            .set("grim.message.outbox-length", goesInParts ? 0 : OUTBOX_LENGTH);
    }

    /** Up to 1 MiB, and now and then the maximum. */
    static int length(final Random random, final int sequence)
    {
        return sequence % 60 == 59 ? LENGTH_MAX : 1 + random.nextInt(MIB);
    }
}
