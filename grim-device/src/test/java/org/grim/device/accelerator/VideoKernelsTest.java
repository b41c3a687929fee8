// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import java.math.BigInteger;
import java.util.Random;

import org.agrona.concurrent.UnsafeBuffer;
import org.grim.Allocation;
import org.grim.EndpointId;
import org.grim.GrimException;
import org.grim.device.video.FrameBytes;
import org.grim.device.video.PixelFormat;
import org.grim.device.video.VideoFrame;
import org.junit.jupiter.api.Test;

import static org.grim.device.video.VideoFrame.HEADER_LENGTH;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Kernels on video frames beside references that compute each pixel alone, from the definition. */
final class VideoKernelsTest
{
    private static final int[][] SIZES = {{1, 1}, {2, 1}, {1, 3}, {3, 2}, {5, 7}, {8, 8}, {17, 9}, {33, 20}};
    private static final PixelFormat[] FORMATS =
        {PixelFormat.MONO, PixelFormat.YUV_420, PixelFormat.YUV_422, PixelFormat.YUV_444};
    private static final int[] GAUSS_3 = {1, 2, 1};
    private static final int[] GAUSS_5 = {1, 4, 6, 4, 1};
    private static final int[][] ACROSS = {{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}};

    private final Random random = new Random(38);

    /** A plane whose pixels beyond the edge are those of the edge. */
    private record Plane(UnsafeBuffer bytes, int offset, int width, int height)
    {
        private int at(final int x, final int y)
        {
            return bytes.getByte(offset + Math.max(0, Math.min(height - 1, y)) * width +
                Math.max(0, Math.min(width - 1, x))) & 0xFF;
        }
    }

    private byte[] frame(final PixelFormat format, final int width, final int height)
    {
        return FrameBytes.random(random, format, width, height);
    }

    private static byte[] run(final Kernel kernel, final byte[] item, final int operation, final Integer constant)
        throws Exception
    {
        final UnsafeBuffer result = new UnsafeBuffer(new byte[kernel.resultLengthMax(item.length)]);
        final KernelCall call = new KernelCall().wrap(ItemFormat.a0(0, operation, constant != null),
            constant == null ? 0 : constant, new UnsafeBuffer(item), item.length);
        final byte[] bytes = new byte[kernel.run(call, result)];
        result.getBytes(0, bytes);
        return bytes;
    }

    private static VideoFrame view(final byte[] bytes)
    {
        return new VideoFrame().wrap(new UnsafeBuffer(bytes), 0, bytes.length);
    }

    private static void assertOf(final byte[] item, final byte[] result, final PixelFormat format)
    {
        final VideoFrame source = view(item);
        final VideoFrame frame = view(result);
        assertEquals(format, frame.format());
        assertEquals(HEADER_LENGTH + frame.planesLength(), result.length);
        assertEquals(source.number() + " " + source.capturedNs() + " " + source.sourceKey() + " " + source.isKey(),
            frame.number() + " " + frame.capturedNs() + " " + frame.sourceKey() + " " + frame.isKey());
    }

    @Test
    void shouldTakeTheBrightnessOfEachFormat() throws Exception
    {
        for (final PixelFormat format : FORMATS)
        {
            final byte[] item = frame(format, 33, 21);

            final byte[] result = run(new GrayKernel(), item, 0, null);

            assertOf(item, result, PixelFormat.MONO);
            final byte[] expected = FrameBytes.write(PixelFormat.MONO, 33, 21, view(item).number());
            System.arraycopy(item, HEADER_LENGTH, expected, HEADER_LENGTH, 33 * 21);
            assertArrayEquals(expected, result);
        }
    }

    @Test
    void shouldBlurEachPlaneAsTheSumOfItsNeighbours() throws Exception
    {
        final GaussKernel gauss = new GaussKernel();
        for (final int[] size : SIZES)
        {
            for (final PixelFormat format : FORMATS)
            {
                final byte[] item = frame(format, size[0], size[1]);
                assertBlurred(item, run(gauss, item, 0, null), GAUSS_3);
                assertBlurred(item, run(gauss, item, 1, null), GAUSS_5);
            }
        }
    }

    private static void assertBlurred(final byte[] item, final byte[] result, final int[] weights)
    {
        final VideoFrame frame = view(item);
        final PixelFormat format = frame.format();
        final double divisor = weights.length == 3 ? 16 : 256;
        assertOf(item, result, format);
        int offset = HEADER_LENGTH;
        for (int number = 0; number < format.planeCount(); number++)
        {
            final Plane plane = new Plane(new UnsafeBuffer(item), offset, format.rowLength(number, frame.width()),
                format.rowCount(number, frame.height()));
            for (int i = 0; i < plane.width * plane.height; i++)
            {
                assertEquals(Math.round(sum(plane, i % plane.width, i / plane.width, weights) / divisor),
                    result[offset] & 0xFF, frame.width() + "x" + frame.height() + " " + i);
                offset++;
            }
        }
    }

    private static int sum(final Plane plane, final int x, final int y, final int[] weights)
    {
        final int radius = weights.length / 2;
        int sum = 0;
        for (int i = 0; i < weights.length * weights.length; i++)
        {
            sum += weights[i / weights.length] * weights[i % weights.length] *
                plane.at(x + i % weights.length - radius, y + i / weights.length - radius);
        }
        return sum;
    }

    @Test
    void shouldFindEdgesAsTheGradientOfSobel() throws Exception
    {
        final SobelKernel sobel = new SobelKernel();
        for (final int[] size : SIZES)
        {
            for (final Integer least : new Integer[] {null, 300})
            {
                final byte[] item = frame(PixelFormat.YUV_420, size[0], size[1]);

                final byte[] result = run(sobel, item, 0, least);

                assertOf(item, result, PixelFormat.MONO);
                final Plane plane = new Plane(new UnsafeBuffer(item), HEADER_LENGTH, size[0], size[1]);
                for (int i = 0; i < size[0] * size[1]; i++)
                {
                    final int length = gradient(plane, i % size[0], i / size[0]);
                    assertEquals(length < (least == null ? 0 : least) ? 16 : Math.min(235, 16 + length),
                        result[HEADER_LENGTH + i] & 0xFF);
                }
            }
        }
    }

    private static int gradient(final Plane plane, final int x, final int y)
    {
        int across = 0;
        int down = 0;
        for (int i = 0; i < 9; i++)
        {
            final int pixel = plane.at(x + i % 3 - 1, y + i / 3 - 1);
            across += ACROSS[i / 3][i % 3] * pixel;
            down += ACROSS[i % 3][i / 3] * pixel;
        }
        return BigInteger.valueOf((long)across * across + (long)down * down).sqrt().intValue();
    }

    @Test
    void shouldComputeTheSpectrumOfTheMiddleAsTheDefinitionSays() throws Exception
    {
        final SpectrumKernel spectrum = new SpectrumKernel();
        for (final int[] size : SIZES)
        {
            final byte[] item = frame(PixelFormat.YUV_420, size[0], size[1]);

            final byte[] result = run(spectrum, item, 0, null);

            final int width = Integer.highestOneBit(size[0]);
            final int height = Integer.highestOneBit(size[1]);
            assertOf(item, result, PixelFormat.MONO);
            assertEquals(width + "x" + height, view(result).width() + "x" + view(result).height());
            final double scale = 219 / Math.log(1 + 255.0 * width * height);
            for (int i = 0; i < width * height; i++)
            {
                final double value = 16 + scale * Math.log(1 + magnitude(item, size[0], size[1],
                    i % width - width / 2, i / width - height / 2));
                assertEquals(value, result[HEADER_LENGTH + i] & 0xFF, 0.5 + 1e-6, size[0] + "x" + size[1] + " " + i);
            }
        }
    }

    /** Computes the magnitude of one frequency by the definition of the transform. */
    private static double magnitude(final byte[] item, final int columns, final int rows, final int u, final int v)
    {
        final int width = Integer.highestOneBit(columns);
        final int height = Integer.highestOneBit(rows);
        double real = 0;
        double imaginary = 0;
        for (int y = 0; y < height; y++)
        {
            for (int x = 0; x < width; x++)
            {
                final double pixel = item[HEADER_LENGTH + ((rows - height) / 2 + y) * columns +
                    (columns - width) / 2 + x] & 0xFF;
                final double angle = -2 * Math.PI * ((double)u * x / width + (double)v * y / height);
                real += pixel * Math.cos(angle);
                imaginary += pixel * Math.sin(angle);
            }
        }
        return Math.hypot(real, imaginary);
    }

    @Test
    void shouldShowTheFrequencyOfAGratingInALargePicture() throws Exception
    {
        final byte[] item = FrameBytes.write(PixelFormat.MONO, 1300, 601, 7);
        for (int i = 0; i < 1300 * 601; i++)
        {
            item[HEADER_LENGTH + i] = (byte)Math.round(128 + 100 * Math.cos(2 * Math.PI * 64 * (i % 1300) / 1024.0));
        }

        final byte[] result = run(new SpectrumKernel(), item, 0, null);

        final VideoFrame frame = view(result);
        assertEquals("1024x512", frame.width() + "x" + frame.height());
        final int row = HEADER_LENGTH + 256 * 1024;
        final double scale = 219 / Math.log(1 + 255.0 * 1024 * 512);
        assertEquals(16 + scale * Math.log(1 + 128.0 * 1024 * 512), result[row + 512] & 0xFF, 1.5);
        assertEquals(16 + scale * Math.log(1 + 50.0 * 1024 * 512), result[row + 512 + 64] & 0xFF, 1.5);
        assertEquals(16 + scale * Math.log(1 + 50.0 * 1024 * 512), result[row + 512 - 64] & 0xFF, 1.5);
        assertEquals(16, result[row + 1024 + 512 + 64] & 0xFF, "another row has no wave");
    }

    @Test
    void shouldPassTheLastFrameAndRefuseWhatHasNoPlanes() throws Exception
    {
        final byte[] last = FrameBytes.last(EndpointId.of(5, 3, 2));
        final byte[] jpeg = FrameBytes.write(PixelFormat.JPEG, 20, 10, 0);
        final byte[] cut = frame(PixelFormat.YUV_420, 20, 10);
        cut[51]--;
        for (final String name : new String[] {"gray", "gauss", "sobel", "spectrum"})
        {
            final Kernel kernel = BuiltInKernels.named(name);

            assertEquals(name, kernel.name());
            assertArrayEquals(last, run(kernel, last, 0, null));
            assertEquals(name + " needs planes, and the frame is a JPEG file",
                assertThrows(IllegalArgumentException.class, () -> run(kernel, jpeg, 0, null)).getMessage());
            assertTrue(assertThrows(IllegalArgumentException.class, () -> run(kernel, last, 2, null)).getMessage()
                .startsWith(name + " has no operation=2: max="));
            assertTrue(assertThrows(GrimException.class, () -> run(kernel, cut, 0, null)).getMessage()
                .endsWith("has planes of length=299, expected 300"));
            assertThrows(GrimException.class, () -> run(kernel, new byte[63], 0, null));
        }
        assertThrows(IllegalArgumentException.class, () -> BuiltInKernels.named("nowhere"));
    }

    @Test
    void shouldAllocateNothingForFurtherFrames()
    {
        final byte[] item = frame(PixelFormat.YUV_420, 64, 48);
        final KernelCall call = new KernelCall().wrap(0, 0, new UnsafeBuffer(item), item.length);
        final UnsafeBuffer result = new UnsafeBuffer(new byte[item.length]);
        for (final FrameKernel kernel : new FrameKernel[] {
            new GrayKernel(), new GaussKernel(), new SobelKernel(), new SpectrumKernel()})
        {
            assertEquals(0, Allocation.of(() ->
            {
                for (int i = 0; i < 100; i++)
                {
                    kernel.run(call, result);
                }
            }), kernel.name());
        }
    }
}
