// SPDX-License-Identifier: Apache-2.0
package org.grim.network.registry;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;

import org.grim.GrimException;
import org.grim.buffer.MappedFile;
import org.grim.buffer.OwnFiles;

import static org.grim.GrimException.Reason.BAD_DATA;
import static org.grim.GrimException.Reason.SYSTEM_REFUSED;

/**
 * A host's durable state, in a file beside its directory: it outlives the agent's process, and ends with the host's
 * last node. It is replaced as a whole, so that an agent that dies while it writes leaves the previous one.
 * <p>Thread: the host agent's.
 */
public final class RegistryFile
{
    private static final int MAGIC = 0x47524547;        // "GREG"
    private static final int VERSION = 1;

    private final Path path;
    private final Path temporary;

    /**
     * Content that was read.
     *
     * @param host     id of this host in the cluster.
     * @param givenUp  members that it took for gone while it was without a majority.
     * @param registry what was decided so far.
     * @param pledge   about what comes next.
     */
    public record Content(String host, List<String> givenUp, Registry registry, Pledge pledge)
    {
    }

    /**
     * Names the file.
     *
     * @param path      of it.
     * @param temporary what is written before it is replaced; nobody else writes there.
     */
    public RegistryFile(final Path path, final Path temporary)
    {
        this.path = path;
        this.temporary = temporary;
    }

    /**
     * Reads it.
     *
     * @return null if there is none.
     * @throws GrimException if it is another user's, corrupt, or of another version.
     */
    public Content read()
    {
        try
        {
            OwnFiles.requireFileOrNothing(path);
            final DataInputStream input = new DataInputStream(new ByteArrayInputStream(Files.readAllBytes(path)));
            final int magic = input.readInt();
            final int version = input.readInt();
            if (magic != MAGIC || version != VERSION)
            {
                throw new GrimException(BAD_DATA, path + " is not a registry of this version: magic=0x" +
                    Integer.toHexString(magic) + " version=" + version + " expected=" + VERSION);
            }
            final String host = input.readUTF();
            final List<String> givenUp = RegistryCodec.list(input, DataInput::readUTF);
            final Registry registry = new Registry();
            final Decision snapshot = RegistryCodec.decision(input);
            if (snapshot != null)
            {
                registry.apply(snapshot);
            }
            return new Content(host, givenUp, registry, RegistryCodec.pledge(input));
        }
        catch (final NoSuchFileException ex)
        {
            return null;
        }
        catch (final IOException ex)
        {
            throw new GrimException(BAD_DATA, "read of " + path + " failed: " + MappedFile.describe(ex), ex);
        }
    }

    /**
     * Removes it: this host is in no cluster, and has promised nothing.
     *
     * @throws GrimException if the system refuses.
     */
    public void delete()
    {
        try
        {
            Files.deleteIfExists(path);
        }
        catch (final IOException ex)
        {
            throw new GrimException(SYSTEM_REFUSED, "removal of " + path + " failed: " + MappedFile.describe(ex), ex);
        }
    }

    /**
     * Replaces it.
     *
     * @param host     id of this host in the cluster.
     * @param givenUp  members that it took for gone while it was without a majority.
     * @param snapshot of what was decided so far.
     * @param pledge   about what comes next.
     * @throws GrimException if the system refuses: nothing may be promised then.
     */
    public void write(
        final String host, final List<String> givenUp, final Decision snapshot, final Pledge pledge)
    {
        try
        {
            final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            final DataOutputStream output = new DataOutputStream(bytes);
            output.writeInt(MAGIC);
            output.writeInt(VERSION);
            output.writeUTF(host);
            RegistryCodec.putList(output, givenUp, DataOutput::writeUTF);
            RegistryCodec.putDecision(output, snapshot.epoch() == 0 ? null : snapshot);
            RegistryCodec.putPledge(output, pledge);
            Files.deleteIfExists(temporary);
            OwnFiles.makeFile(temporary);
            try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE))
            {
                writeAll(channel, ByteBuffer.wrap(bytes.toByteArray()));
                channel.force(true);            // Before the rename: a loss of power must not take back a promise.
            }
            Files.move(temporary, path, StandardCopyOption.ATOMIC_MOVE);
            try (FileChannel parent = FileChannel.open(path.toAbsolutePath().getParent()))
            {
                parent.force(true);
            }
        }
        catch (final IOException ex)
        {
            throw new GrimException(SYSTEM_REFUSED, "write of " + path + " failed: " + MappedFile.describe(ex), ex);
        }
    }

    private static void writeAll(final FileChannel channel, final ByteBuffer bytes) throws IOException
    {
        while (bytes.hasRemaining())
        {
            channel.write(bytes);
        }
    }
}
