// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.lang.ref.WeakReference;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.util.Arrays;

import org.grim.mpi.Send;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

final class PlaceTest
{
    private static final int[] NUMBERS = {0x01020304, 0x05060708, 0x090A0B0C};

    private static Place place(final Object buffer, final int offset, final int count, final Datatype type)
    {
        final Place place = new Place(true).set(buffer, offset, count, type);
        place.check(1, true);
        return place;
    }

    private static int refusal(final Object buffer, final int count, final Datatype type, final boolean isOpenMpi)
    {
        final Place place = new Place(true).set(buffer, 0, count, type);
        return assertThrows(MPIException.class, () -> place.check(1, isOpenMpi)).getErrorClass();
    }

    /** Bytes of the numbers as they lie in memory. */
    private static byte[] bytes()
    {
        final ByteBuffer bytes = ByteBuffer.allocate(NUMBERS.length * Integer.BYTES).order(ByteOrder.nativeOrder());
        bytes.asIntBuffer().put(NUMBERS);
        return bytes.array();
    }

    /** A program may free a request whose send is in progress, and forget its buffer. */
    @Test
    void shouldKeepADirectBufferReachableAsLongAsItsOperation() throws InterruptedException
    {
        final Send send = new Send();
        final Place place = new Place(false);
        place.set(ByteBuffer.allocateDirect(16), 0, 16, MPI.BYTE).in(send);
        final WeakReference<Object> buffer = new WeakReference<>(place.buf);
        place.clear();
        System.gc();

        assertNotNull(buffer.get());
        send.keep(null);
        while (buffer.get() != null)
        {
            System.gc();
            Thread.sleep(1);
        }
    }

    @Test
    void shouldTakeAnArrayOfOtherValuesAsMemory()
    {
        final long[] longs = new long[2];
        final double[] doubles = new double[2];

        assertArrayEquals(Arrays.copyOf(bytes(), 5), place(NUMBERS, 0, 5, Datatype.BYTE).packed());
        assertArrayEquals(Arrays.copyOfRange(bytes(), 6, 12), place(NUMBERS, 3, 3, Datatype.CHAR).packed());
        assertEquals(12, place(longs, 1, 3, Datatype.INT).unpack(bytes(), 0));
        assertArrayEquals(bytes(), Arrays.copyOfRange(place(longs, 0, 16, Datatype.BYTE).packed(), 4, 16));
        assertEquals(8, place(doubles, 1, 1, Datatype.LONG).unpack(bytes(), 4));
        assertArrayEquals(Arrays.copyOfRange(bytes(), 4, 12), place(doubles, 1, 1, Datatype.DOUBLE).packed());
    }

    @Test
    void shouldTakeEverySecondValueOfAnArrayOfOtherValues()
    {
        final Datatype second = Datatype.createVector(3, 1, 2, Datatype.SHORT);
        second.commit();

        final byte[] packed = place(NUMBERS, 0, 1, second).packed();

        assertArrayEquals(new byte[] {bytes()[0], bytes()[1], bytes()[4], bytes()[5], bytes()[8], bytes()[9]}, packed);
    }

    @Test
    void shouldRefuseMemoryOutsideOfAnArray()
    {
        assertEquals(MPI.ERR_BUFFER, refusal(NUMBERS, 13, Datatype.BYTE, true));
        assertEquals(MPI.ERR_BUFFER, refusal(NUMBERS, 2, Datatype.LONG, true));
        assertEquals(MPI.ERR_BUFFER, refusal(new byte[7], 1, Datatype.DOUBLE, true));
        assertEquals(MPI.ERR_TYPE, refusal(new String[3], 1, Datatype.BYTE, true));
        assertEquals(MPI.ERR_TYPE, refusal("text", 1, Datatype.BYTE, true));
        assertEquals(MPI.ERR_TYPE, refusal(NUMBERS, 1, Datatype.OBJECT, true));
    }

    @Test
    void shouldRefuseAnArrayOfOtherValuesInMpiJava()
    {
        assertEquals(MPI.ERR_TYPE, refusal(NUMBERS, 1, Datatype.BYTE, false));
    }

    @Test
    void shouldReadBuffersInTheOrderOfTheMachine()
    {
        final ByteBuffer direct = ByteBuffer.allocateDirect(12).order(ByteOrder.BIG_ENDIAN).put(bytes());
        final ByteBuffer onHeap = ByteBuffer.allocate(13).order(ByteOrder.BIG_ENDIAN).put((byte)0).put(bytes());
        final int[] found = new int[3];

        place(found, 0, 3, Datatype.INT).unpack(place(direct, 0, 3, Datatype.INT).packed(), 0);
        assertArrayEquals(NUMBERS, found);
        place(found, 0, 3, Datatype.INT).unpack(
            place(onHeap.position(1).slice(), 0, 3, Datatype.INT).packed(), 0);
        assertArrayEquals(NUMBERS, found);
        assertEquals(MPI.ERR_BUFFER, refusal(onHeap.position(1).slice(), 4, Datatype.INT, true));
        assertEquals(MPI.ERR_BUFFER, refusal(IntBuffer.wrap(NUMBERS).asReadOnlyBuffer(), 1, Datatype.INT, true));
        assertEquals(MPI.ERR_BUFFER, refusal(ByteBuffer.allocate(4).asIntBuffer(), 1, Datatype.INT, true));
    }

    @Test
    void shouldReachMemoryBeforeASliceThatIsTheBuffers()
    {
        final Datatype backwards = Datatype.createVector(3, 1, -1, Datatype.INT);
        backwards.commit();
        final ByteBuffer whole = ByteBuffer.allocateDirect(12).order(ByteOrder.nativeOrder());
        whole.asIntBuffer().put(NUMBERS);

        for (final Buffer slice : new Buffer[] {
            MPI.slice(whole, 8), MPI.slice(whole.asIntBuffer(), 2), MPI.slice(MPI.slice(whole, 4), 4)})
        {
            final int[] found = new int[3];
            place(found, 0, 3, Datatype.INT).unpack(place(slice, 0, 1, backwards).packed(), 0);
            assertArrayEquals(new int[] {NUMBERS[2], NUMBERS[1], NUMBERS[0]}, found);
        }
        assertEquals(MPI.ERR_BUFFER, refusal(MPI.slice(whole, 7), 1, backwards, true));
        assertEquals(MPI.ERR_BUFFER, refusal(MPI.slice(whole, 8), 2, Datatype.INT, true));
        assertEquals(MPI.ERR_BUFFER, refusal(MPI.slice(NUMBERS, 1), 1, backwards, true));
    }
}
