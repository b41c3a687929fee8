// SPDX-License-Identifier: Apache-2.0
package org.grim.shmem.death;

import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

import org.agrona.concurrent.UnsafeBuffer;
import org.grim.ActiveMessage;
import org.grim.Endpoint;
import org.grim.EndpointId;
import org.grim.Grim;
import org.grim.HandlerId;
import org.grim.Link;
import org.grim.SendStatus;
import org.grim.SharedLink;
import org.grim.death.History;
import org.grim.death.Patterns;
import org.grim.transport.HopClaim;
import org.slf4j.LoggerFactory;

/**
 * One node that does everything a sender can do, at random, as fast as it can, and writes down what was accepted.
 * <p>Thread: its own.
 */
final class VictimNode implements Runnable
{
    private static final int LENGTH_MAX = 4096;
    private static final int INLINE_LENGTH = 32;
    private static final long PAUSE_NS = 20_000;

    private final Path directory;
    private final String name;
    private final int index;
    private final int key;
    private final SplittableRandom random;
    private final History.Sink history;
    private final UnsafeBuffer scratch = new UnsafeBuffer(new byte[LENGTH_MAX]);
    private final HopClaim claim = new HopClaim();
    private Grim grim;
    private EndpointId survivor;
    private HandlerId sink;
    private int sequence;
    private int stream = 1;
    private SharedLink shared;
    private int sharedStream;
    private int sharedSequence;
    private int dripSequence;

    VictimNode(
        final Path directory, final String name, final int index, final int key, final long seed,
        final History.Sink history)
    {
        this.directory = directory;
        this.name = name;
        this.index = index;
        this.key = key;
        this.history = history;
        random = new SplittableRandom(seed);
    }

    @Override
    public void run()
    {
        try
        {
            join();
            while (true)
            {
                step();
            }
        }
        catch (final Throwable ex)
        {
            LoggerFactory.getLogger(VictimNode.class).error(name, ex);
            history.onRecord(History.FAULT, index, History.FAULT_FAILED, 0, 0);
        }
    }

    private void join()
    {
        grim = Grim.enable(DeathConfig.of(directory, name).build());
        grim.handlers().register(DeathConfig.DRIP, this::onDrip);
        grim.start();
        sink = grim.handlers().resolve(DeathConfig.SINK);
        survivor = grim.locate(DeathConfig.SURVIVOR);
        history.onRecord(History.JOINED, index, grim.node().number(), grim.node().incarnation(), 0);
    }

    private void step()
    {
        final Endpoint host = grim.endpoint();
        final int dice = random.nextInt(100);
        final boolean isAccepted;
        if (dice < 70 || shared == null)
        {
            final Link link = host.link(survivor);
            isAccepted = dice % 4 == 0 ? claimed(link) : sent(link, 0, sequence + 1);
        }
        else
        {
            isAccepted = sent(shared, sharedStream, sharedSequence + 1);
        }
        if (dice == 99 && index % 2 == 1)
        {
            renewShared(host);
        }
        if (host.poll() == 0 && !isAccepted)
        {
            LockSupport.parkNanos(PAUSE_NS);
        }
    }

    private void renewShared(final Endpoint host)
    {
        if (shared == null)
        {
            shared = host.sharedLink(survivor);
            sharedStream = stream;
            sharedSequence = 0;
            stream++;
        }
        else
        {
            shared.close();
            shared = null;
        }
    }

    private boolean sent(final Endpoint.Sender link, final int streamOfLink, final int next)
    {
        final int length = nextLength(link);
        Patterns.fill(scratch, 0, length, key, next);
        final int checksum = Patterns.checksum(scratch, 0, length, key, streamOfLink, next);
        return isAccepted(link.send(sink, key, streamOfLink, next, checksum, scratch, 0, length), streamOfLink, next);
    }

    /** By claim, with a pause in the middle, and given back at times. */
    private boolean claimed(final Link link)
    {
        final int next = sequence + 1;
        final int length = nextLength(link);
        Patterns.fill(scratch, 0, length, key, next);
        final int checksum = Patterns.checksum(scratch, 0, length, key, 0, next);
        final SendStatus status = link.tryClaim(sink, length, claim);
        if (!status.isAccepted())
        {
            return isAccepted(status, 0, next);
        }
        claim.buffer().putBytes(claim.offset(), scratch, 0, length);
        if (random.nextInt(4) == 0)
        {
            LockSupport.parkNanos(PAUSE_NS);
        }
        if (random.nextInt(4) == 0)
        {
            claim.abort();
            history.onRecord(History.ABORTED, index, 0, 0, 0);
            return true;
        }
        claim.arguments(key, 0, next, checksum).publish();
        return isAccepted(status, 0, next);
    }

    private boolean isAccepted(final SendStatus status, final int streamOfLink, final int next)
    {
        if (status.isAccepted())
        {
            history.onRecord(History.ACCEPTED, index, streamOfLink, next, 0);
            if (streamOfLink == 0)
            {
                sequence = next;
            }
            else
            {
                sharedSequence = next;
            }
        }
        else if (status != SendStatus.BACK_PRESSURED && status != SendStatus.BUSY)
        {
            history.onRecord(History.FAULT, index, History.FAULT_PEER_GONE, status == SendStatus.CLOSED ? 1 : 0, 0);
        }
        return status.isAccepted();
    }

    private int nextLength(final Endpoint.Sender link)
    {
        return random.nextInt(3) > 0 ? random.nextInt(INLINE_LENGTH + 1) :
            random.nextInt(Math.min(LENGTH_MAX, link.payloadLengthMax()) + 1);
    }

    /** From the survivor: numbered without a gap, for this incarnation of the node alone. */
    private void onDrip(final ActiveMessage message)
    {
        final int next = message.argument(2);
        if (message.argument(0) != key)
        {
            history.onRecord(History.FAULT, index, History.FAULT_STALE, message.argument(0), next);
        }
        else if (message.argument(3) !=
            Patterns.checksum(message.buffer(), message.offset(), message.length(), key, 0, next))
        {
            history.onRecord(History.FAULT, index, History.FAULT_CORRUPT, key, next);
        }
        else if (next != dripSequence + 1)
        {
            history.onRecord(History.FAULT, index, History.FAULT_GAP, dripSequence, next);
        }
        else
        {
            dripSequence = next;
            history.onRecord(History.DELIVERED, index, 0, next, 0);
        }
    }
}
