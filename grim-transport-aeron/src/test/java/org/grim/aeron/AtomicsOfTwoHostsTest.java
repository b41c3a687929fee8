// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import java.nio.file.Path;
import java.util.List;

import org.grim.AtomicSum;
import org.grim.Grim;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Atomic operations on one word: by a node of the same host, by one of another, and by the owner. */
@Timeout(180)
final class AtomicsOfTwoHostsTest
{
    private static final int COUNT = 1_000;

    @TempDir
    private Path directory;

    @Test
    void shouldAddUpWhatNodesOfBothHostsAdd()
    {
        AtomicSum.check(() -> open("owner", "a"), List.of(() -> open("near", "a"), () -> open("far", "b")), COUNT);
    }

    private Grim open(final String name, final String host)
    {
        return Grim.enable(AeronSettings.patient(directory, name).set("grim.node.host", host).build());
    }
}
