// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import org.agrona.CloseHelper;
import org.grim.device.opencl.OpenClDevice;
import org.grim.device.opencl.OpenClException;

/**
 * OpenCL of an accelerator: opened when the first image needs it, kept until the accelerator is closed.
 * <p>Thread: the loader's; {@link #state} any; {@link #close} when loader and worker have ended.
 */
final class OpenClSupport implements AutoCloseable
{
    private final String library;
    private final int number;
    private final long timeoutNs;
    private OpenClDevice device;
    private volatile String state = "not used";

    /**
     * Makes one that is not open.
     *
     * @param library   file name of the OpenCL library.
     * @param number    of the device, over all platforms.
     * @param timeoutNs longest run of a kernel.
     */
    OpenClSupport(final String library, final int number, final long timeoutNs)
    {
        this.library = library;
        this.number = number;
        this.timeoutNs = timeoutNs;
    }

    /** Returns the device, and opens it if it is not open. */
    OpenClDevice device() throws OpenClException
    {
        if (device == null)
        {
            try
            {
                device = OpenClDevice.open(library, number, timeoutNs);
                state = device.name();
            }
            catch (final OpenClException ex)
            {
                state = ex.getMessage();
                throw ex;
            }
        }
        return device;
    }

    /** Returns the device's name, or why there is none. */
    String state()
    {
        return state;
    }

    @Override
    public void close()
    {
        CloseHelper.close(device);
        device = null;
    }
}
