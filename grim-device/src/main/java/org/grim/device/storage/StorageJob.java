// SPDX-License-Identifier: Apache-2.0
package org.grim.device.storage;

import java.io.IOException;
import java.nio.ByteBuffer;

import org.grim.MemoryRegion;
import org.grim.device.DeviceCode;
import org.grim.device.DeviceException;
import org.grim.device.DeviceRequest;
import org.grim.device.RequestTarget;

/**
 * A request at work: from its handler to a thread, and back with its result.
 * <p>Thread: the runner's, then one of the driver's, then the runner's again; the queues between publish all fields.
 */
final class StorageJob
{
    /** Null if no client waits. */
    final DeviceRequest request;
    /** Null if the job is not about an open file. */
    final OpenFile file;
    final Work work;
    /** Of the file that is opened, or was closed; null for none. */
    MemoryRegion window;
    boolean isOpening;
    /** The client's node has gone. */
    boolean isOrphan;
    /** For what is read or written, or of the answer; null for none. */
    ByteBuffer bytes;
    /** Memory of the client for what is read; null for none. */
    RequestTarget target;
    DeviceCode code = DeviceCode.OK;
    /** Argument 1 of the answer, and its payload's length. */
    int result;
    int length;
    OpenFile opened;
    DeviceException refusal;

    /** The part of a job that may block. */
    interface Work
    {
        /**
         * Does it.
         *
         * @throws IOException     if the system refuses.
         * @throws DeviceException if the request cannot be executed.
         */
        void run(StorageJob job) throws IOException;
    }

    StorageJob(final DeviceRequest request, final OpenFile file, final Work work)
    {
        this.request = request;
        this.file = file;
        this.work = work;
    }

    StorageJob withWindow(final MemoryRegion newWindow)
    {
        window = newWindow;
        return this;
    }

    StorageJob withBytes(final ByteBuffer newBytes)
    {
        bytes = newBytes;
        return this;
    }
}
