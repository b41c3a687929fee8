// SPDX-License-Identifier: Apache-2.0
package org.grim.shmem.death;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.grim.ActiveMessage;
import org.grim.Grim;
import org.grim.HandlerId;
import org.grim.Link;
import org.grim.SendStatus;
import org.grim.death.PeerJvm;
import org.grim.death.ShmDirectory;
import org.grim.transport.HopClaim;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A survivor that replied to peers that are gone does not keep their memory. */
@Tag("process")
@Tag("long")
class ReleasedInboxesIT
{
    private static final int LIFE_COUNT = 30;
    private static final long LINGERING_LENGTH_MAX = 256 << 20;
    private static final long DEADLINE_MS = 60_000;

    private final Path directory = ShmDirectory.create();
    private final HopClaim claim = new HopClaim();
    private Grim survivor;
    private Link lastLink;
    private int answerCount;

    @AfterEach
    void leave()
    {
        survivor.close();
        ShmDirectory.delete(directory);
    }

    @Test
    void shouldUnmapTheInboxOfEveryPeerThatIsGone() throws IOException
    {
        serve("ask", message ->
        {
            lastLink = survivor.endpoint().link(message.source());
            answerCount += message.reply(HandlerId.of(message.argument(0)), 0).isAccepted() ? 1 : 0;
        });

        final long heldLength = heldLengthWhen(0);

        assertEquals(0, heldLength);
        assertEquals(LIFE_COUNT, answerCount);
        assertEquals(SendStatus.PEER_GONE, lastLink.send(HandlerId.of(99), 0, 0, 0, 0));
    }

    @Test
    void shouldKeepNoMoreThanABoundOfInboxesThatClaimsWereGivenIn() throws IOException
    {
        serve("ask", this::answerByClaim);

        final long heldLength = heldLengthWhen(LINGERING_LENGTH_MAX);
        System.gc();
        final long heldLengthAtLast = heldLengthWhen(0);

        assertTrue(heldLength <= LINGERING_LENGTH_MAX, "held=" + heldLength);
        assertEquals(LIFE_COUNT, answerCount);
        assertEquals(0, heldLengthAtLast);
    }

    private void answerByClaim(final ActiveMessage message)
    {
        final Link link = survivor.endpoint().link(message.source());
        if (link.tryClaim(HandlerId.of(message.argument(0)), 0, claim).isAccepted())
        {
            claim.publish();
            claim.forget();
            answerCount++;
        }
    }

    private void serve(final String question, final ActiveMessage.Handler handler)
    {
        survivor = Grim.enable(ShortIncarnationsMain.config(directory, "survivor"));
        survivor.handlers().register(question, handler);
        survivor.start();
        try (PeerJvm nodes = new PeerJvm(directory.resolve("log"), ShortIncarnationsMain.class, directory.toString(),
            Integer.toString(LIFE_COUNT), question))
        {
            final long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(DEADLINE_MS);
            while (!nodes.awaitExit(0) && System.nanoTime() - deadlineNs < 0)
            {
                survivor.endpoint().poll();
            }
            assertEquals(0, nodes.process().exitValue(), ShmDirectory.text(directory.resolve("log")));
        }
    }

    /** Bytes of files without a name that this process maps; polls until they are few enough, for a bounded time. */
    private long heldLengthWhen(final long lengthMax) throws IOException
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(DEADLINE_MS);
        long length = heldLength();
        while (length > lengthMax && System.nanoTime() - deadlineNs < 0)
        {
            for (int i = 0; i < 10_000; i++)
            {
                survivor.endpoint().poll();
            }
            length = heldLength();
        }
        return length;
    }

    private long heldLength() throws IOException
    {
        final List<String> lines = Files.readAllLines(Path.of("/proc/self/maps"));
        return lines.stream().filter(line -> line.contains(directory.toString()) && line.endsWith(".inbox (deleted)"))
            .map(line -> line.substring(0, line.indexOf(' ')).split("-"))
            .mapToLong(range -> Long.parseLong(range[1], 16) - Long.parseLong(range[0], 16)).sum();
    }
}
