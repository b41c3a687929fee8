// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.service;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.grim.board.AttachRefusal;
import org.grim.board.ContextRegisters;
import org.grim.board.DmaRegionHeader;
import org.grim.board.PhysicalAddress;
import org.grim.board.StaticTranslation;
import org.grim.buffer.SegmentHeader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.grim.board.ChannelRegisters.DELIVERED;
import static org.grim.board.ChannelRegisters.FRONT;
import static org.grim.board.ChannelRegisters.REFUSED;
import static org.grim.board.ContextRegisters.OWNER;
import static org.grim.board.ContextRegisters.REASON;
import static org.grim.board.ContextRegisters.REQUEST;
import static org.grim.board.ContextRegisters.REQUEST_DETACH;
import static org.grim.board.ContextRegisters.STATE;
import static org.grim.board.ContextRegisters.STATE_DRAINING;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Assignment and release of a board's contexts, and refusal of nonsense. */
@Timeout(180)
final class ContextTableTest
{
    private static final int GENERATION = 9;

    @TempDir
    private Path temporary;
    private DirectoryNode node;
    private DirectoryNode guestNode;
    private TestSite site;
    private TestHost host;

    @BeforeEach
    void start()
    {
        final Path cluster = temporary.resolve("cluster");
        node = new DirectoryNode(cluster, "board");
        guestNode = new DirectoryNode(cluster, "guest");
        site = new TestSite(node);
        host = new TestHost(node, site, 0).attach(2);
    }

    @AfterEach
    void stop()
    {
        // An honest host has lost nothing, after any misuse by another one.
        site.board.housekeep();
        assertEquals(ContextRegisters.STATE_ATTACHED, host.context.getAcquire(STATE));
        assertTrue(host.send(0, host, 1, 1, 40));
        for (int i = 0; i < 1000 && host.received.isEmpty(); i++)
        {
            site.board.step();
            host.receive(1);
        }
        assertEquals(1, host.received.size());
        site.close();
        guestNode.close();
        node.close();
    }

    @Test
    void shouldGiveARunOfChannelsAndTakeItBack()
    {
        final TestHost guest = new TestHost(guestNode, site, 1).attach(3);
        assertEquals(2, guest.firstChannel);

        guest.detach();
        housekeep();

        assertEquals(ContextRegisters.OWNER_NONE, guest.context.getAcquire(OWNER));
        assertEquals(ContextRegisters.STATE_FREE, guest.context.getAcquire(STATE));
        assertFalse(guest.registers[0].isEnabledAcquire());
        assertEquals(0, guest.registers[0].getAcquire(DELIVERED));
    }

    @Test
    void shouldGiveANodeOtherChannelsThanInItsLastLifeWhileThereAreOthers()
    {
        final TestHost guest = new TestHost(guestNode, site, 1).attach(2);
        guest.detach();
        housekeep();

        final TestHost again = new TestHost(guestNode, site, 1).attachAs(2, 2);

        assertEquals(2, guest.firstChannel);
        assertEquals(4, again.firstChannel);
    }

    @Test
    void shouldGiveTheSameChannelsAgainIfThereAreNoOthers()
    {
        final TestHost guest = new TestHost(guestNode, site, 1).attach(5);
        guest.detach();
        housekeep();

        assertEquals(2, new TestHost(guestNode, site, 1).attachAs(2, 5).firstChannel);
    }

    @Test
    void shouldRefuseAnOwnerThatIsNotInTheCluster()
    {
        assertRefused(AttachRefusal.BAD_OWNER, (long)(DirectoryNode.NODE_COUNT_MAX - 1) << 32 | 1, 1, GENERATION);
        assertRefused(AttachRefusal.BAD_OWNER, (long)DirectoryNode.NODE_COUNT_MAX << 32 | 1, 1, GENERATION);
        assertRefused(AttachRefusal.BAD_OWNER, -1, 1, GENERATION);
        assertRefused(AttachRefusal.BAD_OWNER, (long)guestNode.number() << 32 | 77, 1, GENERATION);
        assertRefused(AttachRefusal.BAD_OWNER, (long)guestNode.number() << 32, 1, GENERATION);
    }

    @Test
    void shouldRefuseToGiveANodeASecondContext()
    {
        new TestHost(node, site, 1).makeRegion(GENERATION, TestHost.REGION_LENGTH);

        assertRefused(AttachRefusal.BAD_OWNER, host.owner(), 1, GENERATION);
    }

    @Test
    void shouldRefuseChannelCountsThatNoBoardHas()
    {
        final long owner = new TestHost(guestNode, site, 1).owner();

        assertRefused(AttachRefusal.BAD_CHANNEL_COUNT, owner, 0, GENERATION);
        assertRefused(AttachRefusal.BAD_CHANNEL_COUNT, owner, -1, GENERATION);
        assertRefused(AttachRefusal.BAD_CHANNEL_COUNT, owner, Integer.MIN_VALUE, GENERATION);
        assertRefused(AttachRefusal.BAD_CHANNEL_COUNT, owner, Integer.MAX_VALUE, GENERATION);
        assertRefused(AttachRefusal.BAD_CHANNEL_COUNT, owner, TestSite.CHANNEL_COUNT - 1, GENERATION);
        assertRefused(AttachRefusal.NO_CHANNELS, owner, TestSite.CHANNEL_COUNT - 2, GENERATION);
    }

    @Test
    void shouldRefuseARegionThatIsMissingTruncatedOrForeign()
    {
        final TestHost guest = new TestHost(guestNode, site, 1);
        final long owner = guest.owner();
        assertRefused(AttachRefusal.BAD_REGION, owner, 1, GENERATION);
        assertRefused(AttachRefusal.BAD_REGION, owner, 1, -1);
        makeFile(1, 0, 0);
        assertRefused(AttachRefusal.BAD_REGION, owner, 1, 1);
        makeFile(2, 64, DmaRegionHeader.MAGIC);
        assertRefused(AttachRefusal.BAD_REGION, owner, 1, 2);
        makeFile(3, 4096, SegmentHeader.magic("GRIMSRAM"));
        assertRefused(AttachRefusal.BAD_REGION, owner, 1, 3);
        makeFile(4, (1L << 31) + 4096, DmaRegionHeader.MAGIC);
        assertRefused(AttachRefusal.BAD_REGION, owner, 1, 4);
        guest.makeRegion(5, 8192);
        guest.region.close();
        truncate(5, 4096);
        assertRefused(AttachRefusal.BAD_REGION, owner, 1, 5);
    }

    @Test
    void shouldTakeBackAContextThatNobodyHasAskedForAndWhoseOwnerIsGone()
    {
        final ContextRegisters context = new ContextRegisters(site.sram, site.geometry, 1);
        assertTrue(context.tryOwn(-1));

        site.board.housekeep();

        assertEquals(ContextRegisters.OWNER_NONE, context.getAcquire(OWNER));
    }

    @Test
    void shouldLeaveAContextToAnOwnerThatHasNotAskedYet()
    {
        final TestHost guest = new TestHost(guestNode, site, 1);
        assertTrue(guest.context.tryOwn(guest.owner()));

        housekeep();

        assertEquals(guest.owner(), guest.context.getAcquire(OWNER));
    }

    @Test
    void shouldNotBelieveAStateThatAHostWrote()
    {
        final TestHost guest = new TestHost(guestNode, site, 1);
        guest.context.putRelease(STATE, STATE_DRAINING);

        housekeep();
        guest.attach(1);

        assertSame(ContextRegisters.STATE_ATTACHED, guest.context.getAcquire(STATE));
    }

    @Test
    void shouldForgetTheRegisteredMemoryOfWhoLeft()
    {
        final TestHost guest = new TestHost(guestNode, site, 1).attach(1);
        final StaticTranslation entries = new StaticTranslation(site.sram, site.geometry);
        entries.put(0, 1, 4096, 4096, PhysicalAddress.of(1, 4096), 3);
        entries.put(1, 0, 4096, 4096, PhysicalAddress.of(0, 4096), 3);

        guest.detach();
        housekeep();

        assertFalse(entries.read(0));
        assertTrue(entries.read(1));
    }

    @Test
    void shouldRefuseForGoodWhatIsSentToChannelsOfNobody()
    {
        assertTrue(host.send(0, node.number(), 5, node.incarnation(), 1, 40));
        for (int i = 0; i < 1000; i++)
        {
            site.board.step();
        }

        assertEquals(1, host.registers[0].getAcquire(REFUSED));
        assertEquals(76, host.registers[0].get(FRONT));         // header, incarnation, payload
    }

    private void housekeep()
    {
        for (int i = 0; i < 4; i++)
        {
            site.board.step();
            site.board.housekeep();
        }
    }

    /** Asks for something in context 1, sees it refused, gives the context back. */
    private void assertRefused(
        final AttachRefusal refusal, final long owner, final int channelCount, final int generation)
    {
        final ContextRegisters context = new ContextRegisters(site.sram, site.geometry, 1);
        assertTrue(context.tryOwn(owner));
        context.requestAttach(channelCount, generation);

        site.board.housekeep();

        assertEquals(ContextRegisters.STATE_REFUSED, context.getAcquire(STATE));
        assertSame(refusal, AttachRefusal.ofCode(context.get(REASON)));
        assertNotEquals(ContextRegisters.OWNER_NONE, context.getAcquire(OWNER));
        context.putRelease(REQUEST, REQUEST_DETACH);
        site.board.housekeep();
        assertEquals(ContextRegisters.OWNER_NONE, context.getAcquire(OWNER));
    }

    private Path regionPath(final int generation)
    {
        return guestNode.nodeFile(
            guestNode.number(), guestNode.incarnation(), DmaRegionHeader.fileKind(generation));
    }

    private void makeFile(final int generation, final long length, final long magic)
    {
        try (RandomAccessFile file = new RandomAccessFile(regionPath(generation).toFile(), "rw"))
        {
            file.setLength(length);             // Sparse.
            if (length > 0)
            {
                file.writeLong(Long.reverseBytes(magic));
                file.writeInt(Integer.reverseBytes(SegmentHeader.LAYOUT_VERSION));
                file.writeInt(0);
                file.writeLong(Long.reverseBytes(length));
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        assertTrue(Files.exists(regionPath(generation)));
    }

    private void truncate(final int generation, final long length)
    {
        try (RandomAccessFile file = new RandomAccessFile(regionPath(generation).toFile(), "rw"))
        {
            file.setLength(length);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
