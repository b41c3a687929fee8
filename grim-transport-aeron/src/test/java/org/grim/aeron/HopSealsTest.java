// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.RejectReason;
import org.grim.aeron.observe.Party;
import org.grim.buffer.Buffers;
import org.grim.buffer.OwnFiles;
import org.grim.crypto.ClusterKey;
import org.grim.crypto.Sealer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class HopSealsTest
{
    private static final Party LEFT = new Party(1, 5);
    private static final Party RIGHT = new Party(2, 6);
    private static final int LENGTH = 40;

    private final AtomicBuffer message = Buffers.allocate(LENGTH);
    private final AtomicBuffer sealed = Buffers.allocate(HopSeals.OVERHEAD_LENGTH + LENGTH);
    private final AtomicBuffer opened = Buffers.allocate(LENGTH);
    @TempDir
    private Path directory;
    private HopSeals left;
    private HopSeals right;
    private String address;

    @BeforeEach
    void makeKeys() throws IOException
    {
        left = new HopSeals(key(1), LEFT);
        right = new HopSeals(key(1), RIGHT);
        address = right.address("10.0.0.2:7901");
        message.setMemory(0, LENGTH, (byte)7);
    }

    @Test
    void shouldLieWhereTheLayoutSays()
    {
        assertEquals(0, HopSeals.MAGIC_OFFSET);
        assertEquals(4, HopSeals.VERSION_OFFSET);
        assertEquals(8, HopSeals.NODE_OFFSET);
        assertEquals(12, HopSeals.INCARNATION_OFFSET);
        assertEquals(16, HopSeals.SALT_OFFSET);
        assertEquals(32, HopSeals.PLACE_OFFSET);
        assertEquals(40, HopSeals.MESSAGE_OFFSET);
        assertEquals(56, HopSeals.OVERHEAD_LENGTH);
    }

    @Test
    void shouldPublishAMarkBehindTheEndpoint()
    {
        assertEquals("10.0.0.2:7901", HopSeals.endpoint(address));
        assertEquals("10.0.0.2:7901", HopSeals.endpoint("10.0.0.2:7901"));
        assertTrue(HopSeals.hasKey(address));
        assertFalse(HopSeals.hasKey("10.0.0.2:7901"));
        assertEquals("10.0.0.2:7901".length() + 7, address.length());
    }

    @Test
    void shouldOpenWhatWasSealedAndEveryMessageAfterIt()
    {
        final FrameSeal seal = left.newSeal(address, RIGHT);
        final int length = HopSeals.wrap(seal, message, LENGTH, sealed);

        final FrameSeal other = right.open(sealed, 0, length, opened);

        assertEquals(sealed.capacity(), length);
        assertEquals(message, opened);
        for (int i = 1; i < 5_000; i += 700)
        {
            final AtomicBuffer plain = Buffers.allocate(i);
            final AtomicBuffer target = Buffers.allocate(i);
            plain.setMemory(0, i, (byte)i);
            final int sealedLength = seal.seal(plain, 0, i);
            assertEquals(i, other.open(seal.sealed(), 0, sealedLength, target));
            assertEquals(plain, target);
            seal.advance();
            other.advance();
        }
    }

    @Test
    void shouldRefuseEveryFlippedBit()
    {
        final int length = HopSeals.wrap(left.newSeal(address, RIGHT), message, LENGTH, sealed);
        for (int bit = 0; bit < length * Byte.SIZE; bit++)
        {
            final byte old = sealed.getByte(bit / Byte.SIZE);
            sealed.putByte(bit / Byte.SIZE, (byte)(old ^ (1 << (bit % Byte.SIZE))));
            assertNull(right.open(sealed, 0, length, opened), "bit=" + bit);
            assertFalse(right.tryOpenNext(sealed, 0, length, opened), "bit=" + bit);
            sealed.putByte(bit / Byte.SIZE, old);
        }
        assertNotNull(right.open(sealed, 0, length, opened));
        assertTrue(right.tryOpenNext(sealed, 0, length, opened));
    }

    @Test
    void shouldRefuseAMessageAtAnotherPlace()
    {
        final FrameSeal seal = left.newSeal(address, RIGHT);
        final FrameSeal other = right.open(sealed, 0, HopSeals.wrap(seal, message, LENGTH, sealed), opened);
        final int length = seal.seal(message, 0, LENGTH);

        assertEquals(LENGTH, other.open(seal.sealed(), 0, length, opened));
        assertEquals(LENGTH, other.open(seal.sealed(), 0, length, opened), "its place is not taken yet");
        other.advance();
        assertEquals(Sealer.REFUSED, other.open(seal.sealed(), 0, length, opened), "repeated");
        seal.advance();
        seal.advance();
        seal.seal(message, 0, LENGTH);
        assertEquals(Sealer.REFUSED, other.open(seal.sealed(), 0, length, opened), "one is missing");
        assertEquals(Sealer.REFUSED, other.open(seal.sealed(), 0, Sealer.TAG_LENGTH - 1, opened));
    }

    @Test
    void shouldSealAnotherMessageAtThePlaceOfOneThatWasNotSent()
    {
        final FrameSeal seal = left.newSeal(address, RIGHT);
        final FrameSeal other = right.open(sealed, 0, HopSeals.wrap(seal, message, LENGTH, sealed), opened);
        seal.seal(message, 0, LENGTH);
        message.setMemory(0, LENGTH, (byte)9);

        final int length = seal.seal(message, 0, LENGTH);

        assertEquals(LENGTH, other.open(seal.sealed(), 0, length, opened));
        assertEquals(message, opened);
    }

    @Test
    void shouldRefuseAnotherKeyAnotherNodeAndAnEarlierLife() throws IOException
    {
        final int length = HopSeals.wrap(left.newSeal(address, RIGHT), message, LENGTH, sealed);

        assertNull(new HopSeals(key(2), RIGHT).open(sealed, 0, length, opened));
        assertNull(left.open(sealed, 0, length, opened));
        assertNull(new HopSeals(key(1), RIGHT).open(sealed, 0, length, opened), "has another mark");
        assertNotNull(right.open(sealed, 0, length, opened));
    }

    @Test
    void shouldOpenWhatWasSealedWithTheSecondKey() throws IOException
    {
        final HopSeals both = new HopSeals(ClusterKey.read(file(2).toString(), file(1).toString()), RIGHT);
        final FrameSeal seal = left.newSeal(both.address("10.0.0.2:7901"), RIGHT);
        final int length = HopSeals.wrap(seal, message, LENGTH, sealed);

        final FrameSeal other = both.open(sealed, 0, length, opened);

        assertNotNull(other);
        assertEquals(message, opened);
        assertTrue(both.tryOpenNext(sealed, 0, length, opened));
        assertEquals(LENGTH, other.open(seal.sealed(), 0, seal.seal(message, 0, LENGTH), opened));
        final FrameSeal used = both.newSeal(left.address("10.0.0.1:7901"), LEFT);
        final int usedLength = HopSeals.wrap(used, message, LENGTH, sealed);
        assertNull(left.open(sealed, 0, usedLength, opened), "the first key is the one that is used");
    }

    @Test
    void shouldOpenReportsOfASourceThatBeganAnew()
    {
        for (int round = 0; round < 3; round++)
        {
            final FrameSeal seal = left.newSeal(address, RIGHT);
            for (int i = 0; i < 3; i++)
            {
                message.putInt(0, round * 10 + i);
                assertTrue(right.tryOpenNext(
                    sealed, 0, HopSeals.wrap(seal, message, LENGTH, sealed), opened));
                assertEquals(message, opened);
            }
        }
    }

    @Test
    void shouldNeverSealTwoHopsAlike()
    {
        HopSeals.wrap(left.newSeal(address, RIGHT), message, LENGTH, sealed);
        final AtomicBuffer again = Buffers.allocate(sealed.capacity());
        HopSeals.wrap(left.newSeal(address, RIGHT), message, LENGTH, again);

        assertNotEquals(sealed, again);
    }

    @Test
    void shouldSayWhoHasAKeyAndWhoHasNone()
    {
        final int length = HopSeals.wrap(left.newSeal(address, RIGHT), message, LENGTH, sealed);

        assertNull(HopSeals.invalid(right, sealed, 0, length));
        assertNull(HopSeals.invalid(null, message, 0, LENGTH));
        assertEquals(RejectReason.NO_SEAL, HopSeals.invalid(right, message, 0, LENGTH));
        assertEquals(RejectReason.BAD_SEAL, HopSeals.invalid(null, sealed, 0, length));
    }

    private ClusterKey key(final int value) throws IOException
    {
        return ClusterKey.read(file(value));
    }

    private Path file(final int value) throws IOException
    {
        final byte[] secret = new byte[ClusterKey.LENGTH_MIN];
        secret[0] = (byte)value;
        final Path file = Files.createTempFile(directory, "key", "", OwnFiles.fileMode());
        return Files.write(file, secret);
    }
}
