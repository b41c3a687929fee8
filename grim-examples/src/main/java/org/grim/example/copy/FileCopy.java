// SPDX-License-Identifier: Apache-2.0
package org.grim.example.copy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.LongConsumer;

import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.GrimException;
import org.grim.tools.process.SecondJvm;

import static org.grim.GrimException.Reason.BAD_DATA;

/**
 * A copy as a whole: the sending node in this process, the receiving one in a second JVM, and the files.
 * <p>Thread: one. Owns: the temporary file, which does not stay.
 */
public final class FileCopy
{
    private final Path source;
    private final Path target;
    private final Path temporary;

    /**
     * Checks the files.
     *
     * @param source to read.
     * @param target to write; replaced if it exists.
     * @throws GrimException if one of them cannot be.
     */
    public FileCopy(final Path source, final Path target)
    {
        this.source = source;
        this.target = target.toAbsolutePath();
        temporary = this.target.resolveSibling("." + this.target.getFileName() + "." + ProcessHandle.current().pid() +
            ".part");
        require(Files.exists(source), "source " + source + " does not exist");
        require(Files.isRegularFile(source), "source " + source + " is not a regular file");
        require(Files.isReadable(source), "source " + source + " is not readable");
        require(!Files.isDirectory(target), "target " + target + " is a directory");
        final Path directory = temporary.getParent();
        require(Files.isDirectory(directory), "target's directory " + directory + " does not exist");
        require(Files.isWritable(directory), "target's directory " + directory + " is not writable");
    }

    /**
     * Bytes of the source.
     *
     * @return its length now.
     * @throws IOException if it cannot be asked for.
     */
    public long sourceLength() throws IOException
    {
        return Files.size(source);
    }

    /**
     * Names of the nodes: they differ from command to command, so that several may use one cluster. Returns the name of
     * the receiving node of this process's copy.
     */
    public static String receiverName()
    {
        return CopyProtocol.RECEIVER_NAME + "-" + ProcessHandle.current().pid();
    }

    /** Memory that a node of a copy registers in {@link CopyMode#RM}. */
    public static long registeredLength()
    {
        return CopyWindow.LENGTH;
    }

    /**
     * Copies.
     *
     * @param config    with the cluster and the transport.
     * @param mode      how the bytes go.
     * @param board     checked while the sender waits: throws if something that both need is no more.
     * @param arguments the second command line for a target and its temporary file, both absolute; the command there
     *                  calls {@link CopyReceiver#receive}.
     * @param progress  learns how many bytes were sent; called once per chunk.
     * @return the result.
     * @throws IOException if the source cannot be read.
     */
    public CopyResult run(
        final GrimConfig config, final CopyMode mode, final Runnable board,
        final BiFunction<Path, Path, List<String>> arguments, final LongConsumer progress)
        throws IOException
    {
        final GrimConfig ownConfig = config.toBuilder()
            .nodeName(CopyProtocol.SENDER_NAME + "-" + ProcessHandle.current().pid()).build();
        try (FileChannel channel = FileChannel.open(source, StandardOpenOption.READ);
            Grim grim = Grim.enable(ownConfig);
            SecondJvm receiver = SecondJvm.start("receiver", arguments.apply(target, temporary)))
        {
            final CopySender sender = new CopySender(grim, () ->
            {
                receiver.requireAlive();
                board.run();
            });
            receiver.awaitReady(grim.endpoint()::poll);
            return sender.send(channel, receiverName(), mode, progress);
        }
        finally
        {
            Files.deleteIfExists(temporary);        // Only a receiver that was killed left it.
        }
    }

    private static void require(final boolean isGood, final String otherwise)
    {
        if (!isGood)
        {
            throw new GrimException(BAD_DATA, otherwise);
        }
    }
}
