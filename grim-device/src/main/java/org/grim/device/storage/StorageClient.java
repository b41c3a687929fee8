// SPDX-License-Identifier: Apache-2.0
package org.grim.device.storage;

import java.util.ArrayList;
import java.util.List;

import org.agrona.DirectBuffer;
import org.grim.HandlerId;
import org.grim.RemoteRegion;
import org.grim.Reply;
import org.grim.buffer.Buffers;
import org.grim.device.DeviceClient;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Files of a store, one request at a time. Refusals are {@link org.grim.device.DeviceException}s.
 * <p>Thread: as the {@link DeviceClient}'s.
 */
public final class StorageClient
{
    private final DeviceClient device;

    /** Use of a file. */
    public enum Mode
    {
        /** It is read. */
        READ(StoreFormat.READ_FLAG),
        /** It is written. */
        WRITE(StoreFormat.WRITE_FLAG),
        /** It is made if it does not exist, in a directory that does. */
        CREATE(StoreFormat.CREATE_FLAG),
        /** It is emptied. */
        TRUNCATE(StoreFormat.TRUNCATE_FLAG),
        /** Writes go by remote memory: into a window of the store's. */
        WINDOW(StoreFormat.WINDOW_FLAG);

        private final int flag;

        Mode(final int flag)
        {
            this.flag = flag;
        }
    }

    /**
     * Makes a client.
     *
     * @param device the store.
     */
    public StorageClient(final DeviceClient device)
    {
        this.device = device;
    }

    /**
     * Lists a directory: files and directories by name, without links.
     *
     * @param path of the directory below the root; empty for the root.
     * @return lines {@code f LENGTH NAME} and {@code d 0 NAME}.
     */
    public List<String> list(final String path)
    {
        final byte[] bytes = path.getBytes(UTF_8);
        final HandlerId handler = device.handler(StoreFormat.LIST);
        final List<String> lines = new ArrayList<>();
        int first = 0;
        do
        {
            final Reply reply = device.call(handler, first, 0, 0, Buffers.wrap(bytes), 0, bytes.length);
            first = reply.argument(1);
            reply.text().lines().forEach(lines::add);
        }
        while (first > 0);
        return lines;
    }

    /**
     * Opens a file. Only this endpoint can use it; it is closed with the endpoint's node at the latest.
     *
     * @param path  of the file below the root.
     * @param modes to read, or to write, or both.
     * @return the file.
     */
    public StoredFile open(final String path, final Mode... modes)
    {
        int flags = 0;
        for (final Mode mode : modes)
        {
            flags |= mode.flag;
        }
        final byte[] bytes = path.getBytes(UTF_8);
        final Reply reply =
            device.call(device.handler(StoreFormat.OPEN), flags, 0, 0, Buffers.wrap(bytes), 0, bytes.length);
        final DirectBuffer answer = reply.buffer();
        final RemoteRegion window = reply.length() <= StoreFormat.WINDOW_OFFSET ? null : RemoteRegion.readFrom(
            answer, StoreFormat.WINDOW_OFFSET, reply.length() - StoreFormat.WINDOW_OFFSET);
        return new StoredFile(device, reply.argument(1), answer.getLong(0, StoreFormat.ORDER), window);
    }
}
