// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.pair;

import java.nio.file.Path;
import java.util.ServiceLoader;

import org.grim.GrimException;

import static org.grim.GrimException.Reason.UNAVAILABLE;

/**
 * Peers that another module adds; found by {@link ServiceLoader}. The package of a factory is loaded again for each
 * peer, as that of this library's peers is: see {@link SideLoader}.
 * <p>Thread: the measuring one.
 */
public interface PeerFactory
{
    /**
     * Opens one end of a peer.
     *
     * @param kind      of peer, none of this library over its own transports, no limit of the pair and no program.
     * @param ends      that this process has.
     * @param directory of the files.
     * @param sizeMax   most payload bytes.
     * @param receiver  of what comes.
     * @return the peer.
     */
    Peer open(PeerKind kind, Ends ends, Path directory, int sizeMax, MessageReceiver receiver);

    /** {@return why a program of others cannot be measured here; null if it can} */
    String absence(PeerKind kind);

    /**
     * Opens a program of others.
     *
     * @param kind      of peer.
     * @param directory of the files.
     * @param cpus      of its two processes.
     * @return both of its ends.
     */
    Side openProgram(PeerKind kind, Path directory, int... cpus);

    /** {@return the factory of the jar, in a loader's copy of its package} */
    static PeerFactory of(final ClassLoader loader)
    {
        return ServiceLoader.load(PeerFactory.class, loader).findFirst().orElseThrow(
            () -> new GrimException(UNAVAILABLE, "this jar has no peers of others"));
    }

    /** {@return the factory of the jar, for what has no measuring code of ours} */
    static PeerFactory ofPrograms()
    {
        return of(PeerFactory.class.getClassLoader());
    }
}
