// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.GrimException;
import org.grim.buffer.OwnFiles;
import org.grim.crypto.ClusterKey;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.grim.network.Hosts.await;
import static org.grim.network.Hosts.freePort;
import static org.grim.network.Hosts.isUp;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

/** Hosts with a key, with another one, and with none, on loopback. */
@Timeout(180)
final class KeyModeTest
{
    private static final int TRY_COUNT = 3;

    @TempDir
    private Path base;
    private int[] ports;
    private final List<Grim> open = new ArrayList<>();

    @BeforeEach
    void choosePorts()
    {
        ports = new int[] {freePort(), freePort()};
    }

    @AfterEach
    void close()
    {
        open.forEach(Grim::close);
    }

    @Test
    void shouldLetInWhoHasTheKeyAndNobodyElse() throws IOException
    {
        final Path key = key("key", 1);
        final Grim one = open(config(0, "one").set("grim.network.key-file", key.toString()));

        assertEquals("agent of host=host-1 cannot join the group: host=host-0 refuses it: its key is not this " +
            "cluster's (grim.network.key-file)", refusal(
            config(1, "two").set("grim.network.key-file", key("other", 2).toString())));
        assertEquals("agent of host=host-1 cannot join the group: host=host-0 refuses it: it has no key, and this " +
            "cluster has one (grim.network.key-file)", refusal(config(1, "two")));

        final Grim two = open(config(1, "two").set("grim.network.key-file", key.toString()));
        await(() -> isUp(one, "two", 1) && isUp(two, "one", 1));
        assertEquals(2, one.nodes().size());
    }

    @Test
    void shouldTellThatTheClusterHasNoKey() throws IOException
    {
        final Grim one = open(config(0, "one"));

        assertEquals("agent of host=host-1 cannot join the group: host=host-0 refuses it: it has a key, and this " +
            "cluster has none (grim.network.key-file)", refusal(
            config(1, "two").set("grim.network.key-file", key("key", 1).toString())));

        assertEquals(1, one.nodes().size());
    }

    @Test
    void shouldRefuseAKeyThatOthersCanRead() throws IOException
    {
        final Path key = key("key", 1);
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));

        assertEquals("key file " + key + " cannot be used: it is open to other users: mode=0644, expected at most 0600",
            refusal(config(0, "one").set("grim.network.key-file", key.toString())));
    }

    /** A host that hears no answer in time, on a busy machine, begins a cluster of its own: then it tries again. */
    private static String refusal(final GrimConfig.Builder config)
    {
        for (int i = 0; i < TRY_COUNT; i++)
        {
            try (Grim alone = Grim.enable(config.build()))
            {
                assertEquals(1, alone.nodes().size());
            }
            catch (final GrimException ex)
            {
                return ex.getMessage();
            }
        }
        return fail("it was not refused");
    }

    private Path key(final String name, final int value) throws IOException
    {
        final byte[] secret = new byte[ClusterKey.LENGTH_MIN];
        Arrays.fill(secret, (byte)value);
        return Files.write(Files.createFile(base.resolve(name), OwnFiles.fileMode()), secret);
    }

    private Grim open(final GrimConfig.Builder config)
    {
        final Grim grim = Grim.enable(config.build());
        open.add(grim);
        return grim;
    }

    private GrimConfig.Builder config(final int host, final String name)
    {
        return Hosts.config(base, ports, host, name);
    }
}
