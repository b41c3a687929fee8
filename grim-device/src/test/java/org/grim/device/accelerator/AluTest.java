// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import java.nio.ByteOrder;
import java.util.Random;
import java.util.function.IntBinaryOperator;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

final class AluTest
{
    private static final int WORD_COUNT = 40;
    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;
    private static final IntBinaryOperator[] REFERENCES = {
        (a, b) -> a, (a, b) -> ~a, (a, b) -> a + b, (a, b) -> a - b, (a, b) -> a * b, (a, b) -> a & b, (a, b) -> a | b,
        (a, b) -> a ^ b, Math::min, Math::max};

    private final Random random = new Random(38);
    private final UnsafeBuffer source = new UnsafeBuffer(new byte[2 * WORD_COUNT * Integer.BYTES]);
    private final UnsafeBuffer result = new UnsafeBuffer(new byte[2 * WORD_COUNT * Integer.BYTES]);

    @Test
    void shouldComputeOnWords()
    {
        final Kernel alu = Alu.all().get(0);
        for (int operation = 0; operation < REFERENCES.length; operation++)
        {
            random.nextBytes(source.byteArray());
            final int constant = random.nextInt();
            final int length = WORD_COUNT * Integer.BYTES;

            assertEquals(length, ((Alu)alu).run(call(operation, true, constant, length), result));
            for (int i = 0; i < length; i += Integer.BYTES)
            {
                assertEquals(REFERENCES[operation].applyAsInt(source.getInt(i, ORDER), constant),
                    result.getInt(i, ORDER), "operation " + operation);
            }

            final int resultLength = operation < 2 ? 2 * length : length;
            assertEquals(resultLength, ((Alu)alu).run(call(operation, false, 0, 2 * length), result));
            for (int i = 0; i < length; i += Integer.BYTES)
            {
                assertEquals(REFERENCES[operation].applyAsInt(source.getInt(i, ORDER),
                    source.getInt(length + i, ORDER)), result.getInt(i, ORDER), "operation " + operation);
            }
        }
    }

    @Test
    void shouldComputeOnBytes()
    {
        final Alu alu = (Alu)Alu.all().get(1);
        for (int operation = 0; operation < REFERENCES.length; operation++)
        {
            random.nextBytes(source.byteArray());
            final int constant = random.nextInt(256);

            assertEquals(WORD_COUNT, alu.run(call(operation, true, constant, WORD_COUNT), result));
            for (int i = 0; i < WORD_COUNT; i++)
            {
                assertEquals((byte)REFERENCES[operation].applyAsInt(source.getByte(i) & 0xFF, constant),
                    result.getByte(i), "operation " + operation);
            }
        }
    }

    @Test
    void shouldRefuseWhatIsNoOperationAndNoPairOfWords()
    {
        final Alu alu = (Alu)Alu.all().get(0);

        assertThrows(IllegalArgumentException.class, () -> alu.run(call(10, true, 0, 8), result));
        assertThrows(IllegalArgumentException.class, () -> alu.run(call(2, false, 0, 12), result));
        assertEquals(12, alu.run(call(2, true, 0, 12), result));
    }

    private KernelCall call(final int operation, final boolean hasConstant, final int constant, final int length)
    {
        return new KernelCall().wrap(ItemFormat.a0(0, operation, hasConstant), constant, source, length);
    }
}
