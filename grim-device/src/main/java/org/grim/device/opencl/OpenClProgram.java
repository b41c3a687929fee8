// SPDX-License-Identifier: Apache-2.0
package org.grim.device.opencl;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A program that was built, and its kernels.
 * <p>Thread: one at a time. Owns: its handles.
 */
public final class OpenClProgram implements AutoCloseable
{
    private static final String OPTIONS = "-cl-std=CL1.2";
    private static final int BUILD_LOG = 0x1183;
    private static final int LOG_LENGTH_MAX = 1 << 24;
    private static final int LOG_LINES_SHOWN = 5;
    private static final int LOG_LENGTH_SHOWN = 200;

    private final OpenClDevice device;
    private final long program;
    private final Map<String, OpenClKernel> kernels = new HashMap<>();

    private OpenClProgram(final OpenClDevice device, final long program)
    {
        this.device = device;
        this.program = program;
    }

    static OpenClProgram build(final OpenClDevice device, final String source) throws OpenClException
    {
        final int[] code = new int[1];
        final long program = device.counted("clCreateProgramWithSource", device.calls.clCreateProgramWithSource(
            device.context, 1, new String[] {source}, null, code), code);
        final OpenClProgram built = new OpenClProgram(device, program);
        final int buildCode = device.calls.clBuildProgram(
            program, 1, new long[] {device.device}, OPTIONS, null, null);
        if (buildCode != 0)
        {
            final String log = built.log();
            built.close();
            throw new OpenClException("it cannot be compiled: " + OpenClException.describe(buildCode) + ": " + log);
        }
        return built;
    }

    /** Returns the first lines of the compiler's log, in one line. */
    private String log()
    {
        final long[] length = new long[1];
        if (device.calls.clGetProgramBuildInfo(program, device.device, BUILD_LOG, 0, null, length) != 0)
        {
            return "the compiler has no log";
        }
        if (length[0] > LOG_LENGTH_MAX)
        {
            return "the compiler's log of length=" + length[0] + " exceeds max=" + LOG_LENGTH_MAX;
        }
        final byte[] bytes = new byte[(int)length[0]];
        device.calls.clGetProgramBuildInfo(program, device.device, BUILD_LOG, bytes.length, bytes, length);
        final String text = new String(bytes, UTF_8).replace('\0', ' ').lines().map(String::strip)
            .filter(line -> !line.isEmpty()).limit(LOG_LINES_SHOWN).collect(Collectors.joining(" | "));
        return text.length() <= LOG_LENGTH_SHOWN ? text : text.substring(0, LOG_LENGTH_SHOWN) + "...";
    }

    /**
     * Finds a kernel.
     *
     * @param name of its function.
     * @return the kernel; closed with the program.
     * @throws OpenClException if the program has none of this name and of {@value OpenClKernel#ARGUMENT_COUNT}
     *     arguments, or one more.
     */
    public OpenClKernel kernel(final String name) throws OpenClException
    {
        OpenClKernel kernel = kernels.get(name);
        if (kernel == null)
        {
            kernel = OpenClKernel.create(device, program, name);
            kernels.put(name, kernel);
        }
        return kernel;
    }

    @Override
    public void close()
    {
        kernels.values().forEach(OpenClKernel::release);
        kernels.clear();
        device.calls.clReleaseProgram(program);
        device.released();
    }
}
