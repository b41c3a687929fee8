// SPDX-License-Identifier: Apache-2.0
package org.grim.device.opencl;

import jnr.ffi.LibraryLoader;
import jnr.ffi.Platform;
import jnr.ffi.Pointer;
import jnr.ffi.annotations.In;
import jnr.ffi.annotations.Out;

/**
 * The library of OpenCL as JNR sees it. Handles, {@code size_t} and addresses are Java's {@code long}: 64-bit Linux
 * alone. Functions are those of OpenCL 1.2 without their extensions.
 * <p>Thread: any; no state.
 */
final class LibOpenCl
{
    /**
     * Variable of PoCL, which otherwise replaces the JVM's handler of SIGFPE: then a division by zero in compiled Java
     * code of any thread goes on with a wrong number, and throws nothing.
     */
    private static final String POCL_DIVISION_HANDLER = "POCL_SIGFPE_HANDLER";

    private LibOpenCl()
    {
    }

    /** Loads the library. */
    static Calls load(final String library) throws OpenClException
    {
        final Platform platform = Platform.getNativePlatform();
        if (platform.getOS() != Platform.OS.LINUX || !platform.is64Bit())
        {
            throw new OpenClException("OpenCL needs 64-bit Linux here, this is " + platform.getName());
        }
        LibraryLoader.create(LibC.class).load(platform.getStandardCLibraryName())
            .setenv(POCL_DIVISION_HANDLER, "0", 0);
        try
        {
            return LibraryLoader.create(Calls.class).failImmediately().load(library);
        }
        catch (final UnsatisfiedLinkError ex)
        {
            throw new OpenClException("OpenCL is not there: library " + library + " cannot be loaded: " +
                ex.getMessage(), ex);
        }
    }

    static void check(final String call, final int code) throws OpenClException
    {
        if (code != 0)
        {
            throw new OpenClException(call, code);
        }
    }

    /** The one function of the C library. Public for the class that JNR makes. */
    public interface LibC
    {
        int setenv(String name, String value, int isReplacing);
    }

    /**
     * Names and types of C. Public for the class that JNR makes, in a class loader of its own. A function with more
     * than five arguments has an array or a pointer among them: for numbers alone JNR writes machine code of its own,
     * which passes a wrong sixth argument (JNR-FFI 2.3.4).
     */
    public interface Calls
    {
        int clGetPlatformIDs(int room, @Out long[] platforms, @Out int[] count);

        int clGetDeviceIDs(long platform, long type, int room, @Out long[] devices, @Out int[] count);

        int clGetDeviceInfo(long device, int name, long room, @Out byte[] value, @Out long[] length);

        long clCreateContext(
            @In long[] properties, int count, @In long[] devices, Pointer callback, Pointer data, @Out int[] code);

        int clReleaseContext(long context);

        long clCreateCommandQueue(long context, long device, long properties, @Out int[] code);

        int clReleaseCommandQueue(long queue);

        long clCreateProgramWithSource(
            long context, int count, @In String[] sources, @In long[] lengths, @Out int[] code);

        int clBuildProgram(
            long program, int count, @In long[] devices, String options, Pointer callback, Pointer data);

        int clGetProgramBuildInfo(
            long program, long device, int name, long room, @Out byte[] value, @Out long[] length);

        int clReleaseProgram(long program);

        long clCreateKernel(long program, String name, @Out int[] code);

        int clGetKernelInfo(long kernel, int name, long room, @Out int[] value, @Out long[] length);

        int clGetKernelWorkGroupInfo(
            long kernel, long device, int name, long room, @Out long[] value, @Out long[] length);

        int clSetKernelArg(long kernel, int index, long length, @In long[] value);

        int clSetKernelArg(long kernel, int index, long length, @In int[] value);

        int clReleaseKernel(long kernel);

        long clCreateBuffer(long context, long flags, long length, Pointer memory, @Out int[] code);

        int clReleaseMemObject(long buffer);

        @SuppressWarnings("checkstyle:ParameterNumber")     // The standard's.
        Pointer clEnqueueMapBuffer(
            long queue, long buffer, int isBlocking, long flags, long offset, long length, int count, @In long[] waits,
            @Out long[] event, @Out int[] code);

        int clEnqueueUnmapMemObject(
            long queue, long buffer, Pointer address, int count, @In long[] waits, @Out long[] event);

        int clEnqueueNDRangeKernel(
            long queue, long kernel, int dimensions, @In long[] offsets, @In long[] sizes, @In long[] groupSizes,
            int count, @In long[] waits, @Out long[] event);

        int clFlush(long queue);

        int clGetEventInfo(long event, int name, long room, @Out int[] value, @Out long[] length);

        int clReleaseEvent(long event);
    }
}
