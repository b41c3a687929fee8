// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import java.util.concurrent.TimeUnit;

import org.grim.device.opencl.OpenClDevice;
import org.grim.device.opencl.OpenClException;
import org.junit.jupiter.api.Assumptions;

/** OpenCL for tests: those that need it are skipped without it, and say why. */
public final class WithOpenCl
{
    public static final String LIBRARY = "libOpenCL.so.1";

    private WithOpenCl()
    {
    }

    /** Opens the first device, or skips the test. */
    public static OpenClDevice open()
    {
        try
        {
            return OpenClDevice.open(LIBRARY, 0, TimeUnit.MINUTES.toNanos(2));
        }
        catch (final OpenClException ex)
        {
            return Assumptions.abort("skipped, as this machine has no OpenCL: " + ex.getMessage());
        }
    }
}
