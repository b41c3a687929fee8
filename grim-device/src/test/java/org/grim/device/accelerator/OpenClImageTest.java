// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.device.opencl.OpenClDevice;
import org.grim.device.opencl.OpenClException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Images of OpenCL C that are wrong, or end no run, give one answer each; what is loaded is released. */
final class OpenClImageTest
{
    private static final String ARGUMENTS = "(global const uchar *item, uint length, global uchar *result, " +
        "global uint *status, uint flags, int constant_b%s)";
    private static final String KERNEL = "kernel void %s" + ARGUMENTS.formatted("") + " { %s }\n";
    /** As many that the JVM compiles the division, which then has no check of its own. */
    private static final int DIVISION_COUNT = 1 << 19;
    /** Steps of each work-item, of which a group has 64: a second or more in all. */
    private static final int SLOW_COUNT = 1 << 23;

    @TempDir
    private Path directory;
    private OpenClSupport support;

    @BeforeEach
    void open()
    {
        CloseHelper.close(WithOpenCl.open());
        support = new OpenClSupport(WithOpenCl.LIBRARY, 0, TimeUnit.MINUTES.toNanos(2));
    }

    @AfterEach
    void close()
    {
        CloseHelper.close(support);
    }

    private OpenClImage image(final String source) throws IOException
    {
        return OpenClImage.of(Files.writeString(directory.resolve("test.cl"), source), support);
    }

    private static String kernel(final String name, final String body)
    {
        return "// Grim-Kernels: " + name + "\n" + KERNEL.formatted(name, body);
    }

    private void assertRefused(final String start, final String source) throws IOException
    {
        final OpenClImage image = image(source);
        final String message = assertThrows(IOException.class, image::load).getMessage();

        assertTrue(message.startsWith("image test.cl: " + start), message);
        assertTrue(message.length() < 400, message);
        assertEquals(0, support.device().handleCount());
    }

    private static byte[] run(final Kernel kernel, final int constant, final byte... item) throws Exception
    {
        final UnsafeBuffer result = new UnsafeBuffer(new byte[item.length]);
        final byte[] bytes = new byte[kernel.run(new KernelCall().wrap(
            ItemFormat.a0(0, 0, true), constant, new UnsafeBuffer(item), item.length), result)];
        result.getBytes(0, bytes);
        return bytes;
    }

    @Test
    void shouldRefuseSourcesThatAreWrong() throws IOException
    {
        assertRefused("it cannot be compiled: CL_BUILD_PROGRAM_FAILURE (-11): ", kernel("k", "this is no C"));
        assertRefused("it has no kernel k: CL_INVALID_KERNEL_NAME", kernel("other", "").replaceFirst("other", "k"));
        assertRefused("its kernel k has arguments=1, expected 6 or 7",
            "// Grim-Kernels: k\nkernel void k(global uchar *item) { }\n");
        assertRefused("its kernel k has scratch memory, and Grim-Scratch is 0",
            "// Grim-Kernels: k\nkernel void k" + ARGUMENTS.formatted(", global uchar *scratch") + " { }\n");
        assertRefused("it is no text: byte 0", kernel("k", "\0"));
        assertRefused("it cannot be compiled: CL_BUILD_PROGRAM_FAILURE (-11): ",
            kernel("k", "\n" + "#warning a line of an endless log\n".repeat(2_000) + "no C"));
        final OpenClImage changed = image(kernel("k", ""));
        Files.writeString(directory.resolve("test.cl"), kernel("k", " "));
        assertEquals("image test.cl: it has changed since the device was opened",
            assertThrows(IOException.class, changed::load).getMessage());
        assertEquals(0, support.device().handleCount());
    }

    @Test
    void shouldRefuseHeadsThatAreWrong()
    {
        assertEquals("image test.cl has no attribute Grim-Kernels",
            assertThrows(IllegalArgumentException.class, () -> image("kernel void k() { }")).getMessage());
        assertEquals("image test.cl: Grim-Kernels=a,,b is not 1 to 8 names",
            assertThrows(IllegalArgumentException.class, () -> image("// Grim-Kernels: a,,b")).getMessage());
        assertEquals("image test.cl: Grim-Scratch=-1 is not a number from 0 to 1048576", assertThrows(
            IllegalArgumentException.class, () -> image("// Grim-Kernels: a\n// Grim-Scratch: -1")).getMessage());
    }

    @Test
    void shouldFailTheItemThatAKernelRefusesOrThatHasNoRoom() throws Exception
    {
        final OpenClImage image = image("""
            // Grim-Kernels: refusing, long-one, hungry
            // Grim-Scratch: 1048576
            // Grim-Refusal-7: has a reason
            %s%s%s""".formatted(KERNEL.formatted("refusing", "status[1] = constant_b;"),
            KERNEL.formatted("long_one", "status[0] = length + constant_b; result[0] = 5;"),
            KERNEL.formatted("hungry", "").replace("constant_b)", "constant_b, global uchar *scratch)")));
        final List<Kernel> kernels = image.load();

        assertEquals("refusing has a reason",
            assertThrows(IllegalArgumentException.class, () -> run(kernels.get(0), 7, (byte)1)).getMessage());
        assertEquals("refusing refuses the item: number=8",
            assertThrows(IllegalArgumentException.class, () -> run(kernels.get(0), 8, (byte)1)).getMessage());
        assertEquals("result of length=2 exceeds that of the item=1",
            assertThrows(OpenClException.class, () -> run(kernels.get(1), 1, (byte)1)).getMessage());
        final String reason =
            assertThrows(OpenClException.class, () -> run(kernels.get(2), 0, new byte[1 << 20])).getMessage();
        assertTrue(reason.startsWith("OpenCL memory of length=1099511627776 was refused: "), reason);
        assertEquals(5, run(kernels.get(1), 0, (byte)1)[0]);
        assertEquals(0, run(kernels.get(0), 0).length);
        image.unload();
    }

    @Test
    void shouldLeaveDivisionsByZeroToTheJvm() throws IOException
    {
        support.device();
        int thrownCount = 0;
        for (int i = 0; i < DIVISION_COUNT; i++)
        {
            thrownCount += divide(i, i % 2) ? 0 : 1;
        }
        assertEquals(DIVISION_COUNT / 2, thrownCount);
    }

    /** Returns false if the JVM says that this is no division. */
    private static boolean divide(final int dividend, final int divisor)
    {
        try
        {
            return dividend / divisor >= 0;
        }
        catch (final ArithmeticException ex)
        {
            return false;
        }
    }

    @Test
    void shouldGiveUpARunThatTakesTooLong() throws Exception
    {
        CloseHelper.close(support);
        support = new OpenClSupport(WithOpenCl.LIBRARY, 0, TimeUnit.MILLISECONDS.toNanos(1));
        final Kernel kernel = image(kernel("slow",
            "for (volatile int i = 0; i < constant_b; i++) { } result[0] = 7;")).load().get(0);

        final long startNs = System.nanoTime();
        List<String> refusals = List.of();
        while (!refusals.equals(List.of(
            "the kernel has not ended within ms=1", "a kernel that has not ended in time still runs")))
        {
            // Other answers are those of a kernel that has ended, as this thread was late.
            final List<String> last = refusals;
            assertTrue(System.nanoTime() - startNs < TimeUnit.MINUTES.toNanos(2), last::toString);
            refusals = List.of(refusal(kernel, SLOW_COUNT), refusal(kernel, 0));
            while (!refusal(kernel, 0).isEmpty())
            {
                assertTrue(System.nanoTime() - startNs < TimeUnit.MINUTES.toNanos(2), "still runs");
                Thread.onSpinWait();
            }
        }
    }

    /** Returns why a run was given up; nothing if it has ended. */
    private static String refusal(final Kernel kernel, final int count) throws Exception
    {
        try
        {
            assertEquals(7, run(kernel, count, (byte)1)[0]);
            return "";
        }
        catch (final OpenClException ex)
        {
            assertTrue(ex.getMessage().matches(".* (in time still runs|has not ended within ms=1)"), ex.getMessage());
            return ex.getMessage();
        }
    }

    @Test
    void shouldReleaseWhatItLoads() throws Exception
    {
        assertReleased(20);
    }

    @Test
    @Tag("long")
    void shouldReleaseWhatItLoadsAThousandTimes() throws Exception
    {
        assertReleased(1_000);
    }

    private void assertReleased(final int count) throws Exception
    {
        final OpenClImage image = image(kernel("k", "result[0] = item[0] + 1;"));
        final OpenClDevice device = support.device();
        for (int i = 0; i < count; i++)
        {
            final Kernel kernel = image.load().get(0);
            assertEquals(8, run(kernel, 0, (byte)7)[0]);
            assertEquals(2 + 3, device.handleCount(), "program, kernel and three buffers");
            image.unload();
        }
        assertEquals(3, device.handleCount());
        support.close();
        assertEquals(0, device.handleCount());
    }
}
