// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron.observe;

import java.io.IOException;
import java.nio.file.Path;

import org.grim.GrimException;
import org.grim.buffer.MappedFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.grim.GrimException.Reason.SYSTEM_REFUSED;

/**
 * Says, to tools by a {@link ClientNote} and to the log, which client of Aeron a node has, and when and why it began
 * again.
 * <p>Thread: one at a time. Owns: the node's file.
 */
public final class ClientLog
{
    private static final Logger LOGGER = LoggerFactory.getLogger(ClientLog.class);

    private final Path file;
    private final int node;
    private final long patienceNs;
    private long errorDeadlineNs;
    private String renewalWhy;                          // null while the client is as it should be

    /**
     * Begins, without a file.
     *
     * @param file       of the node.
     * @param node       its number.
     * @param patienceNs after which it is an error that a client cannot begin again.
     */
    public ClientLog(final Path file, final int node, final long patienceNs)
    {
        this.file = file;
        this.node = node;
        this.patienceNs = patienceNs;
    }

    /**
     * A client is over, and another one is to take its place. Says so once, however often that is tried.
     *
     * @param directory of the driver.
     * @param why       it is.
     * @param nowNs     of a clock that never goes back.
     */
    public void renewing(final String directory, final String why, final long nowNs)
    {
        if (renewalWhy == null)
        {
            renewalWhy = why;
            errorDeadlineNs = nowNs + patienceNs;
            LOGGER.warn("Aeron client of node {} is renewed: hops are lost. driver={} reason: {}", node, directory,
                why);
        }
    }

    /**
     * A client cannot begin again. The driver keeps the port of a client that it ended for some seconds: that is no
     * error yet.
     *
     * @param nowNs of a clock that never goes back.
     * @param ex    why not.
     */
    public void failed(final long nowNs, final GrimException ex)
    {
        if (renewalWhy == null || errorDeadlineNs - nowNs <= 0)
        {
            errorDeadlineNs = nowNs + patienceNs;
            LOGGER.error("Aeron client of node {} cannot be renewed yet", node, ex);
        }
        else
        {
            LOGGER.debug("Aeron client of node {} cannot be renewed yet", node, ex);
        }
    }

    /**
     * A client has begun: the node's first, or a new one.
     *
     * @param directory of the driver.
     * @param client    as Aeron numbers it.
     * @param epochMs   now.
     * @throws GrimException if that cannot be written for tools.
     */
    public void begun(final String directory, final long client, final long epochMs)
    {
        try
        {
            new ClientNote(directory, client, renewalWhy == null ? 0 : epochMs, renewalWhy == null ? "" : renewalWhy)
                .write(file);
            renewalWhy = null;
        }
        catch (final IOException ex)
        {
            throw new GrimException(SYSTEM_REFUSED, "write of " + file + " failed: " + MappedFile.describe(ex), ex);
        }
    }

    /** The node leaves. */
    public void close()
    {
        MappedFile.delete(file);
    }
}
