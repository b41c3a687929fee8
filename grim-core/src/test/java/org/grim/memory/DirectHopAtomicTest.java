// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

import java.nio.file.Path;
import java.util.List;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.MemoryRegion;
import org.grim.RemoteLink.AtomicOperation;
import org.grim.RemoteLink.SignalOperation;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.grim.memory.DirectHopTest.assertIsZero;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Atomic operations and writes with a signal, as the initiator executes them. */
final class DirectHopAtomicTest
{
    private static final int LENGTH = 3 * DirectHop.PIECE_LENGTH_MAX;

    @TempDir
    private Path directory;
    private MemoryFixture fixture;
    private MemoryRegion far;
    private MemoryRegion own;

    @BeforeEach
    void open()
    {
        fixture = new MemoryFixture(directory);
        far = fixture.owner.register(LENGTH, MemoryRegion.Rights.READ_WRITE);
        own = fixture.initiator.register(64, MemoryRegion.Rights.READ);
    }

    @AfterEach
    void close()
    {
        fixture.close();
    }

    @Test
    void shouldBringTheWordBeforeLittleEndianAndThenNotify()
    {
        far.buffer().putInt(4, -5);
        far.buffer().putLong(16, 0x0102_0304_0506_0708L);

        run(AtomicOperation.GET_AND_SET, far.remote().address() + 4, 4, -1L << 32 | 9, own.remote().address() + 8, 1);
        run(AtomicOperation.FETCH_ADD, far.remote().address() + 16, 8, 1, own.remote().address() + 16, 2);

        assertEquals(List.of(), fixture.drain());
        assertEquals(9, far.buffer().getLong(4));
        assertEquals(0x0102_0304_0506_0709L, far.buffer().getLong(16));
        assertEquals(0xFFFF_FFFBL, own.buffer().getLong(8));
        assertEquals(8, own.buffer().getByte(16));
        assertEquals(1, own.buffer().getByte(23));
        assertEquals(2, own.buffer().getInt(0));
    }

    @Test
    void shouldRefuseWhatIsNoWordToChangeOrNotOurs()
    {
        final MemoryRegion readOnly = fixture.owner.register(64, MemoryRegion.Rights.READ);
        final MemoryRegion writeOnly = fixture.owner.register(64, MemoryRegion.Rights.WRITE);
        final MemoryRegion freed = fixture.owner.register(64, MemoryRegion.Rights.READ_WRITE);
        final long word = far.remote().address();
        final long target = own.remote().address() + 8;
        freed.close();

        refuse(word + 4, 8, target, 1);
        refuse(word + 2, 4, target, 2);
        refuse(word + LENGTH, 8, target, 3);
        refuse(-8, 8, target, 4);
        refuse(readOnly.remote().address(), 8, target, 5);
        refuse(writeOnly.remote().address(), 8, target, 6);
        refuse(freed.remote().address(), 8, target, 7);
        refuse(word, 8, own.remote().address() + 60, 8);
        fixture.hop.tryAtomic(AtomicOperation.GET_AND_SET, word, 8, 1, 0, target, own.remote().address() + 64, 1, 9);

        assertEquals(List.of("1 8 MISALIGNED_WORD", "2 4 MISALIGNED_WORD", "3 8 OUT_OF_RANGE", "4 8 OUT_OF_RANGE",
            "5 8 NO_RIGHT", "6 8 NO_RIGHT", "7 8 FREED", "8 8 OUT_OF_RANGE", "9 8 NOTIFICATION_OUT_OF_RANGE"),
            fixture.drain());
        assertIsZero(far);
        assertIsZero(readOnly);
        assertIsZero(writeOnly);
        assertIsZero(own);
    }

    @Test
    void shouldWriteAnyLengthAndAddToItsSignalOnce()
    {
        final AtomicBuffer source = Buffers.allocate(LENGTH);
        source.setMemory(0, LENGTH, (byte)1);
        int sum = 0;

        for (final int length : DirectHopTest.LENGTHS)
        {
            sum += length;
            assertEquals(SendStatus.SENT, signal(far.remote().address() + 8, source, length, SignalOperation.ADD_INT,
                far.remote().address() + 4, length, 1));
            assertEquals(sum, far.buffer().getInt(4));
            assertEquals(1, far.buffer().getByte(8 + length - 1));
            assertEquals(0, far.buffer().getByte(8 + length));
        }

        assertEquals(List.of(), fixture.drain());
        assertEquals(0, far.buffer().getInt(0));
    }

    @Test
    void shouldNeitherWriteNorSignalIfOneOfTheTwoIsRefused()
    {
        final MemoryRegion readOnly = fixture.owner.register(64, MemoryRegion.Rights.READ);
        final AtomicBuffer source = Buffers.allocate(LENGTH);
        source.setMemory(0, LENGTH, (byte)1);
        final long address = far.remote().address();

        final MemoryRegion shorter = fixture.owner.register(12, MemoryRegion.Rights.READ_WRITE);

        for (final SignalOperation operation : SignalOperation.values())
        {
            final int last = operation.length() / 2;
            signal(address, source, 0, operation, address, 1, 1);
            signal(address, source, 8, operation, address + last, 1, 2);
            signal(address, source, LENGTH, operation, readOnly.remote().address(), 1, 3);
            signal(readOnly.remote().address(), source, 8, operation, address, 1, 4);
            signal(address + 8, source, LENGTH, operation, address, 1, 5);
            final long beyond = shorter.remote().address() + 16 - operation.length();
            signal(address, source, LENGTH, operation, beyond, 1, 6);
            signal(address, source, 8, operation, beyond, 1, 7);

            assertEquals(List.of("1 0 ZERO_LENGTH", "2 8 MISALIGNED_NOTIFICATION",
                "3 " + LENGTH + " NOTIFICATION_OUT_OF_RANGE", "4 8 NO_RIGHT", "5 " + LENGTH + " OUT_OF_RANGE",
                "6 " + LENGTH + " NOTIFICATION_OUT_OF_RANGE", "7 8 NOTIFICATION_OUT_OF_RANGE"), fixture.drain(),
                operation.name());
            assertIsZero(far);
            assertIsZero(readOnly);
            assertIsZero(shorter);
        }
    }

    @Test
    void shouldChangeSignalsOfBothWidthsAndNothingBeside()
    {
        final AtomicBuffer source = Buffers.allocate(8);
        final long address = far.remote().address();
        far.buffer().putLong(8, -1);
        far.buffer().putLong(16, 0xFFFF_FFFFL);
        far.buffer().putLong(24, -1);

        signal(address, source, 8, SignalOperation.ADD_LONG, address + 16, 1, 1);
        assertEquals(1L << 32, far.buffer().getLong(16));
        signal(address, source, 8, SignalOperation.SET_LONG, address + 16, -2, 1);
        assertEquals(-2, far.buffer().getLong(16));
        signal(address, source, 8, SignalOperation.ADD_INT, address + 16, 3, 1);
        assertEquals(-1L << 32 | 1, far.buffer().getLong(16));
        signal(address, source, 8, SignalOperation.SET_INT, address + 20, 7L << 32, 1);
        assertEquals(1, far.buffer().getLong(16));

        assertEquals(List.of(), fixture.drain());
        assertEquals(-1, far.buffer().getLong(8));
        assertEquals(-1, far.buffer().getLong(24));
    }

    @Test
    void shouldCombineBitsOfBothWidthsAndNothingBeside()
    {
        final long word = far.remote().address() + 16;
        final long target = own.remote().address() + 8;
        far.buffer().putLong(8, -1);
        far.buffer().putLong(24, -1);

        run(AtomicOperation.FETCH_OR, word, 8, 0xF0_0000_00F0L, target, 1);
        run(AtomicOperation.FETCH_XOR, word, 8, 0x30_0000_003FL, target, 2);
        assertEquals(0xC0_0000_00CFL, far.buffer().getLong(16));
        run(AtomicOperation.FETCH_AND, word, 8, ~0x40_0000_0041L, target, 3);
        assertEquals(0x80_0000_008EL, far.buffer().getLong(16));
        assertEquals(0xC0_0000_00CFL, own.buffer().getLong(8));
        run(AtomicOperation.FETCH_OR, word, 4, -1L << 31, target, 4);
        run(AtomicOperation.FETCH_XOR, word, 4, -1, target, 5);
        run(AtomicOperation.FETCH_AND, word + 4, 4, 0x0F, target, 6);

        assertEquals(0x7FFF_FF71L, far.buffer().getLong(16));
        assertEquals(0x80, own.buffer().getInt(8));
        assertEquals(-1, far.buffer().getLong(8));
        assertEquals(-1, far.buffer().getLong(24));
    }

    @Test
    void shouldSayThatThePeerIsGone()
    {
        final long address = far.remote().address();
        fixture.ownerNode.replace(MemoryFixture.OWNER);

        assertEquals(SendStatus.PEER_GONE,
            fixture.hop.tryAtomic(AtomicOperation.FETCH_ADD, address, 8, 1, 0, own.remote().address(), 0, 0, 1));
        assertEquals(SendStatus.PEER_GONE,
            signal(address, Buffers.allocate(8), 8, SignalOperation.SET_LONG, address + 8, 1, 1));
        assertIsZero(far);
    }

    private void run(final AtomicOperation operation, final long address, final int length, final long operand,
        final long targetAddress, final int value)
    {
        assertEquals(SendStatus.SENT, fixture.hop.tryAtomic(
            operation, address, length, operand, 0, targetAddress, own.remote().address(), value, 1));
    }

    private SendStatus signal(
        final long address, final AtomicBuffer source, final int length, final SignalOperation operation,
        final long signalAddress, final long value, final int ticket)
    {
        return fixture.hop.tryWriteWithSignal(address, source, 0, length, operation, signalAddress, value, ticket);
    }

    private void refuse(final long address, final int length, final long targetAddress, final int ticket)
    {
        assertEquals(SendStatus.SENT, fixture.hop.tryAtomic(AtomicOperation.GET_AND_SET, address, length, -1, 0,
            targetAddress, own.remote().address(), 1, ticket));
    }
}
