// SPDX-License-Identifier: Apache-2.0
package org.grim.mpi;

import org.grim.GrimConfig;
import org.grim.transport.Key;
import org.grim.transport.Keys;
import org.grim.transport.Settings;

import static org.grim.transport.Key.KIB;
import static org.grim.transport.Key.MIB;
import static org.grim.transport.Key.MINUTE;
import static org.grim.transport.Key.SECOND;
import static org.grim.transport.Key.Unit.BYTES;
import static org.grim.transport.Key.Unit.NANOSECONDS;

/**
 * The keys below {@code grim.mpi}.
 *
 * @param eagerLength      most payload bytes that are sent before a receive is known.
 * @param unexpectedLength bytes of messages without a receive, from which on senders are asked to hold theirs.
 * @param spinNs           how long a waiting thread looks before it sleeps.
 * @param startTimeoutNs   how long a process waits for the others.
 * @param progress         whether a thread answers senders while the application computes.
 */
record MpiConfig(
    @Key(value = "mpi.eager-length", initial = "16KiB", unit = BYTES, max = 32 * KIB,
        text = "Maximum payload of a message that is sent at once. The sender of a longer one asks first, and sends " +
        "when a receive is posted.")
    int eagerLength,
    @Key(value = "mpi.unexpected-length", initial = "12MiB", unit = BYTES, min = 64 * KIB, max = 1024 * MIB,
        text = "Bytes of messages that came before their receives were posted; their room is within " +
        "`grim.message.kept-length`. Beyond it senders ask before short ones, too; messages that stand in " +
        "queues still come.")
    int unexpectedLength,
    @Key(value = "mpi.spin", initial = "200us", unit = NANOSECONDS, max = SECOND,
        text = "Maximum time that a waiting thread looks for messages before it sleeps. It does so as long as that " +
        "finds some, and tries again from time to time.")
    long spinNs,
    @Key(value = "mpi.start-timeout", initial = "60s", unit = NANOSECONDS, min = SECOND, max = 60 * MINUTE,
        text = "Maximum wait for all processes of a job when one of them starts.")
    long startTimeoutNs,
    @Key(value = "mpi.progress", initial = "thread", words = {"thread", "none"},
        text = "`thread`: one of the library's answers senders while the application computes. `none`: messages " +
        "above `eager-length` go on only within calls.")
    String progress)
{
    /** Reads the keys; the exception names key, value and limit of what is wrong. */
    static MpiConfig of(final GrimConfig config)
    {
        return Keys.read(new Settings(config.settings()), MpiConfig.class);
    }

    boolean hasThread()
    {
        return "thread".equals(progress);
    }
}
