// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.EndpointId;
import org.grim.GrimException;
import org.grim.device.video.FrameBytes;
import org.grim.device.video.PixelFormat;
import org.grim.device.video.VideoFrame;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Each kernel of OpenCL beside the Java kernel of its name: results are the same byte for byte, but for the spectrum,
 * whose values differ by 1 at most. Both refuse the same items.
 */
final class OpenClKernelsTest
{
    private static final int INPUT_COUNT = 1_000;
    private static final int LENGTH_MAX = 700;
    private static final int SIDE_MAX = 40;

    private static final List<PixelFormat> FORMATS = List.of(
        PixelFormat.MONO, PixelFormat.YUV_420, PixelFormat.YUV_422, PixelFormat.YUV_444, PixelFormat.JPEG);

    private final Random random = new Random(38);
    private final Map<String, Kernel> kernels = new HashMap<>();
    private OpenClSupport support;
    private int refusalCount;

    @BeforeEach
    void open() throws IOException
    {
        CloseHelper.close(WithOpenCl.open());
        support = new OpenClSupport(WithOpenCl.LIBRARY, 0, Long.MAX_VALUE);
        for (final String name : new String[] {"alu.cl", "video.cl"})
        {
            OpenClImage.builtIn(name, support).load().forEach(kernel -> kernels.put(kernel.name(), kernel));
        }
    }

    @AfterEach
    void close()
    {
        CloseHelper.close(support);
    }

    @Test
    void shouldHaveAllKernelsOfJava()
    {
        assertEquals(BuiltInKernels.all().stream().map(Kernel::name).sorted().toList(),
            kernels.keySet().stream().sorted().toList());
    }

    @Test
    void shouldComputeAsAluDoes()
    {
        for (final String name : List.of("alu", "alu-bytes"))
        {
            for (int i = 0; i < INPUT_COUNT; i++)
            {
                final byte[] item = new byte[random.nextInt(LENGTH_MAX) & (random.nextInt(8) == 0 ? -1 : -8)];
                random.nextBytes(item);
                assertSame(name, item, random.nextInt(11), random.nextBoolean(), random.nextInt(), 0);
            }
        }
        assertTrue(refusalCount > 0 && refusalCount < INPUT_COUNT, "refused: " + refusalCount);
    }

    @Test
    void shouldComputeAsTheKernelsOnFramesDo()
    {
        for (final String name : List.of("gray", "gauss", "sobel"))
        {
            for (int i = 0; i < INPUT_COUNT; i++)
            {
                assertSame(name, frame(), random.nextInt(20) == 0 ? 2 : name.equals("gauss") ? random.nextInt(2) : 0,
                    random.nextBoolean(), random.nextInt(600), 0);
            }
        }
        assertTrue(refusalCount > 0 && refusalCount < INPUT_COUNT, "refused: " + refusalCount);
    }

    @Test
    void shouldComputeAsTheSpectrumDoes()
    {
        for (int i = 0; i < INPUT_COUNT; i++)
        {
            assertSame("spectrum", frame(), 0, false, 0, 1);
        }
        assertSame("spectrum", FrameBytes.random(random, PixelFormat.MONO, 1300, 601), 0, false, 0, 1);
        assertTrue(refusalCount > 0 && refusalCount < INPUT_COUNT, "refused: " + refusalCount);
    }

    /** Returns a frame of any format and size, and often one with a wrong byte, which may be wrong or not. */
    private byte[] frame()
    {
        if (random.nextInt(50) == 0)
        {
            return FrameBytes.last(EndpointId.of(5, 3, 2));
        }
        final PixelFormat format = FORMATS.get(random.nextInt(random.nextInt(8) == 0 ? 5 : 4));
        final byte[] bytes =
            FrameBytes.random(random, format, 1 + random.nextInt(SIDE_MAX), 1 + random.nextInt(SIDE_MAX));
        if (random.nextInt(10) == 0)
        {
            bytes[random.nextInt(VideoFrame.HEADER_LENGTH)] = (byte)random.nextInt();
        }
        return random.nextInt(30) == 0 ? Arrays.copyOf(bytes, random.nextInt(bytes.length)) : bytes;
    }

    private void assertSame(
        final String name, final byte[] item, final int operation, final boolean hasConstant, final int constant,
        final int tolerance)
    {
        final KernelCall call = new KernelCall().wrap(
            ItemFormat.a0(0, operation, hasConstant), hasConstant ? constant : 0, new UnsafeBuffer(item), item.length);
        final byte[] expected = run(BuiltInKernels.named(name), call);
        final byte[] actual = run(kernels.get(name), call);

        refusalCount += expected == null ? 1 : 0;
        final String what = name + " operation=" + operation + " length=" + item.length;
        if (expected == null || tolerance == 0)
        {
            assertArrayEquals(expected, actual, what);
            return;
        }
        assertEquals(expected.length, actual.length, what);
        for (int i = 0; i < expected.length; i++)
        {
            final boolean isPixel = i >= VideoFrame.HEADER_LENGTH;
            assertEquals(expected[i] & 0xFF, actual[i] & 0xFF, isPixel ? tolerance : 0, what + " at " + i);
        }
    }

    /** Returns the result; null if the kernel refuses the item. */
    private static byte[] run(final Kernel kernel, final KernelCall call)
    {
        final UnsafeBuffer result = new UnsafeBuffer(new byte[call.length()]);
        try
        {
            final byte[] bytes = new byte[kernel.run(call, result)];
            result.getBytes(0, bytes);
            return bytes;
        }
        catch (final IllegalArgumentException | GrimException ex)
        {
            assertTrue(ex.getMessage().length() > kernel.name().length(), ex.getMessage());
            return null;
        }
        catch (final Exception ex)
        {
            throw new AssertionError(ex);
        }
    }
}
