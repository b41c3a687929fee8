// SPDX-License-Identifier: Apache-2.0
package org.grim.device.opencl;

import java.io.IOException;
import java.util.Map;

/** A call of OpenCL that was refused, or OpenCL that is not there. The message is one sentence. */
public final class OpenClException extends IOException
{
    private static final long serialVersionUID = 1L;

    /** Names of the codes that operators meet. */
    private static final Map<Integer, String> NAMES = Map.ofEntries(
        Map.entry(-1, "CL_DEVICE_NOT_FOUND"), Map.entry(-2, "CL_DEVICE_NOT_AVAILABLE"),
        Map.entry(-3, "CL_COMPILER_NOT_AVAILABLE"), Map.entry(-4, "CL_MEM_OBJECT_ALLOCATION_FAILURE"),
        Map.entry(-5, "CL_OUT_OF_RESOURCES"), Map.entry(-6, "CL_OUT_OF_HOST_MEMORY"),
        Map.entry(-11, "CL_BUILD_PROGRAM_FAILURE"), Map.entry(-12, "CL_MAP_FAILURE"),
        Map.entry(-46, "CL_INVALID_KERNEL_NAME"), Map.entry(-49, "CL_INVALID_ARG_INDEX"),
        Map.entry(-51, "CL_INVALID_ARG_SIZE"), Map.entry(-54, "CL_INVALID_WORK_GROUP_SIZE"),
        Map.entry(-61, "CL_INVALID_BUFFER_SIZE"), Map.entry(-1001, "CL_PLATFORM_NOT_FOUND_KHR"));

    /**
     * Makes one.
     *
     * @param message one sentence.
     */
    public OpenClException(final String message)
    {
        super(message);
    }

    OpenClException(final String message, final Throwable cause)
    {
        super(message, cause);
    }

    /** Names a call with its error. */
    OpenClException(final String call, final int code)
    {
        super(call + " was refused: " + describe(code));
    }

    static String describe(final int code)
    {
        return NAMES.getOrDefault(code, "error") + " (" + code + ")";
    }
}
