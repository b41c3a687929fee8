// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.jgroups.protocols.Discovery;
import org.jgroups.protocols.FD_ALL3;
import org.jgroups.protocols.FILE_PING;
import org.jgroups.protocols.FRAG2;
import org.jgroups.protocols.MERGE3;
import org.jgroups.protocols.MFC;
import org.jgroups.protocols.UFC;
import org.jgroups.protocols.UNICAST3;
import org.jgroups.protocols.VERIFY_SUSPECT2;
import org.jgroups.protocols.dns.DNS_PING;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.protocols.pbcast.NAKACK2;
import org.jgroups.protocols.pbcast.STABLE;
import org.jgroups.stack.Protocol;

/**
 * The protocols of a group of agents, from the bottom to the top: one port, no multicast, no probes.
 * <p>Thread: any; no state.
 */
final class GroupStack
{
    private static final int THREAD_COUNT_MAX = 8;
    private static final int JOIN_TIMEOUT_MS = 1_000;
    /** One who has left between two views is waited for so long; others begin a cluster of their own after 6 s. */
    private static final int MERGE_TIMEOUT_MS = 1_500;
    private static final int MERGE_INTERVAL_MS_MIN = 500;
    private static final int MERGE_INTERVAL_MS_MAX = 1_000;
    private static final int MERGE_INTERVAL_MS_PER_MEMBER = 20;
    private static final int SUSPECT_TIMEOUT_MS_MAX = 1_000;
    private static final int HEARTBEATS_PER_TIMEOUT = 5;

    private GroupStack()
    {
    }

    static List<Protocol> of(final NetworkSettings settings, final String label) throws Exception
    {
        return List.of(tcp(settings, label), discovery(settings), new LastHeard(), merge(),
            heartbeats(settings), suspicion(settings), new NAKACK2().useMcastXmit(false), new UNICAST3(), new STABLE(),
            new GMS().printLocalAddress(false).setJoinTimeout(JOIN_TIMEOUT_MS).setMergeTimeout(MERGE_TIMEOUT_MS),
            new MFC(), new UFC(), new FRAG2());
    }

    private static AgentTcp tcp(final NetworkSettings settings, final String label)
    {
        final AgentTcp tcp = new AgentTcp(settings, label);
        if (settings.announced() != null)
        {
            tcp.setExternalAddr(settings.announced().getAddress()).setExternalPort(settings.announced().getPort());
        }
        tcp.getThreadPool().setMinThreads(0).setMaxThreads(THREAD_COUNT_MAX);
        return tcp;
    }

    private static Discovery discovery(final NetworkSettings settings)
    {
        if (!settings.dns().isEmpty())
        {
            return new DNS_PING().setDNSQuery(settings.dns());
        }
        if (!settings.directory().isEmpty())
        {
            return new FILE_PING().setLocation(settings.directory()).registerShutdownHook(false)
                .removeAllDataOnViewChange(true);
        }
        return new ConfiguredHosts(settings.hosts(), InetAddress::getByName);
    }

    private static MERGE3 merge()
    {
        return new MERGE3().setMinInterval(MERGE_INTERVAL_MS_MIN).setMaxInterval(MERGE_INTERVAL_MS_MAX);
    }

    /**
     * Each member asks each other one where it is, once in the mean interval: three messages. So few members find each
     * other soon after a split, and many do not spend their time with asking.
     */
    static void adaptMerge(final MERGE3 merge, final int memberCount)
    {
        merge.setMaxInterval(Math.max(MERGE_INTERVAL_MS_MAX, MERGE_INTERVAL_MS_PER_MEMBER * memberCount));
    }

    private static FD_ALL3 heartbeats(final NetworkSettings settings)
    {
        final long silenceMs = silenceMs(settings);
        return new FD_ALL3().setTimeout(silenceMs).setInterval(Math.max(1, silenceMs / HEARTBEATS_PER_TIMEOUT));
    }

    private static VERIFY_SUSPECT2 suspicion(final NetworkSettings settings)
    {
        return new VERIFY_SUSPECT2().setTimeout(Math.min(SUSPECT_TIMEOUT_MS_MAX, silenceMs(settings) / 2));
    }

    private static long silenceMs(final NetworkSettings settings)
    {
        return TimeUnit.NANOSECONDS.toMillis(settings.silenceNs());
    }
}
