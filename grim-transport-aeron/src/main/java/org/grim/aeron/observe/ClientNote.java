// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron.observe;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.grim.buffer.OwnFiles;

/**
 * Which driver and client a node uses, in a file of the node, for tools: written when a client begins, never on the
 * messages' path.
 *
 * @param directory of the media driver.
 * @param client    as Aeron numbers it.
 * @param renewedMs when this client took the place of one before, ms since the epoch; 0 for the node's first.
 * @param why       it did; empty for the node's first.
 */
public record ClientNote(String directory, long client, long renewedMs, String why)
{
    /** Kind of the node's file. */
    public static final String KIND = "x-aeron";

    /** Writes the file of a node. */
    void write(final Path file) throws IOException
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        final DataOutputStream output = new DataOutputStream(bytes);
        output.writeLong(client);
        output.writeLong(renewedMs);
        output.writeUTF(directory);
        output.writeUTF(why);
        if (!Files.exists(file))
        {
            OwnFiles.makeFile(file);
        }
        Files.write(file, bytes.toByteArray());
    }

    /**
     * Reads a file.
     *
     * @param file of the node.
     * @return what stands in it.
     * @throws IOException if it is not there, or is being written.
     */
    static ClientNote read(final Path file) throws IOException
    {
        final DataInputStream input = new DataInputStream(new ByteArrayInputStream(Files.readAllBytes(file)));
        final long client = input.readLong();
        final long renewedMs = input.readLong();
        return new ClientNote(input.readUTF(), client, renewedMs, input.readUTF());
    }
}
