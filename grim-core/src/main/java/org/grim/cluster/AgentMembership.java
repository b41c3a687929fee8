// SPDX-License-Identifier: Apache-2.0
package org.grim.cluster;

import org.grim.GrimException;

import static org.grim.GrimException.Reason.NAME_TAKEN;
import static org.grim.GrimException.Reason.UNAVAILABLE;

/**
 * A host's part in a cluster of several hosts without a node: its agent runs in this process, or waits until the agent
 * of a node ends. The host's directory stays as long as this, or a node.
 * <p>Thread: any, one at a time. Owns: a byte of the liveness file, behind the byte of the agent's role.
 */
public final class AgentMembership implements AutoCloseable
{
    private final ClusterFiles files;
    private final DirectorySegment segment;
    private final Liveness liveness;
    private final HostNetwork network;
    private boolean isHolding;
    private boolean isClosed;

    private AgentMembership(final ClusterFiles files, final DirectorySegment segment, final HostNetwork network)
    {
        this.files = files;
        this.segment = segment;
        this.network = network;
        liveness = segment.liveness(files, true);
    }

    /**
     * Joins the host's directory, and makes it if this is the first of the host.
     *
     * @param files        of the cluster on this host.
     * @param nodeCountMax most nodes, if the directory is made.
     * @param network      to the other hosts; started, and left at the end.
     * @return the membership, to be closed.
     * @throws GrimException if the files cannot be made or are not GRIM's, if they belong to a cluster of one host, if
     *                       another process of this kind serves the host, or if the agent cannot begin.
     */
    @SuppressWarnings("try")            // The lock is held, not used.
    public static AgentMembership join(final ClusterFiles files, final int nodeCountMax, final HostNetwork network)
    {
        try (JoinLock lock = JoinLock.acquire(files, network))
        {
            boolean isNew = false;
            try
            {
                isNew = DirectorySegment.isToBeMade(files);
                return new AgentMembership(
                    files, DirectorySegment.make(files, nodeCountMax, isNew, true), network).entered();
            }
            catch (final RuntimeException | Error ex)
            {
                files.deleteAfterFailedJoin(isNew);
                throw ex;
            }
        }
    }

    /**
     * Returns whether the other hosts took this one out of the cluster: close this, and join again. True from then on.
     */
    public boolean isFenced()
    {
        return segment.isFenced();
    }

    /** Ends the agent. The directory goes with the last of the host. */
    @Override
    @SuppressWarnings("try")            // The lock is held, not used.
    public void close()
    {
        if (isClosed)
        {
            return;
        }
        network.stopFollowing();
        try (JoinLock lock = JoinLock.acquire(files, network))
        {
            letGo();
            final boolean isOurs = segment.isNamed();
            final boolean isLast = (isOurs || !files.hasDirectory()) && !segment.hasLive(liveness);
            network.leave(isLast);
            if (isLast)
            {
                files.deleteAll();
            }
            else if (!isOurs)
            {
                files.deleteLockIfUnused();
            }
        }
        finally
        {
            release();
        }
    }

    private AgentMembership entered()
    {
        boolean isEntered = false;
        try
        {
            if (!segment.isNetworked())
            {
                throw new GrimException(UNAVAILABLE, "cluster directory " + files.path() +
                    " belongs to a cluster of one host: its nodes have no grim.network");
            }
            isHolding = liveness.tryHold(HostDirectory.process(segment));
            if (!isHolding)
            {
                throw new GrimException(NAME_TAKEN,
                    "cluster directory " + files.path() + " is served by another agent without a node");
            }
            network.start(new HostDirectory(files, segment, liveness));
            isEntered = true;
            return this;
        }
        finally
        {
            if (!isEntered)
            {
                release();
            }
        }
    }

    private void release()
    {
        isClosed = true;
        network.leave(false);                   // If the join lock was not to be had.
        letGo();
        liveness.close();
        segment.close();
    }

    /** Gives up the byte of the lock file; another agent of this JVM may hold it then. */
    private void letGo()
    {
        if (isHolding)
        {
            isHolding = false;
            liveness.letGo(HostDirectory.process(segment));
        }
    }
}
