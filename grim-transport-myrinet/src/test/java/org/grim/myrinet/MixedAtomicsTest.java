// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import java.nio.file.Path;
import java.util.List;

import org.grim.AtomicSum;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Atomic operations on one word: by shared memory, by a network interface, and by the owner. */
@Timeout(180)
final class MixedAtomicsTest
{
    private static final int COUNT = 1_000;

    @TempDir
    private Path directory;

    @Test
    void shouldAddUpWhatComesThroughSharedMemoryAndNetworkInterfaces()
    {
        AtomicSum.check(() -> open("owner", "a"), List.of(() -> open("near", "a"), () -> open("far", "b")), COUNT);
    }

    private Grim open(final String name, final String host)
    {
        return Grim.enable(GrimConfig.builder().directory(directory).nodeName(name).transports("shmem", "myrinet")
            .set("grim.node.host", host)
            .set("grim.myrinet.firmware", "thread")
            .set("grim.myrinet.registered-length", "4MiB")
            .build());
    }
}
