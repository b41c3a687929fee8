// SPDX-License-Identifier: Apache-2.0
package org.grim.node;

import java.util.List;

import org.grim.EndpointId;
import org.grim.endpoint.MessageLimits;
import org.grim.memory.MemorySettings;
import org.grim.transport.Key;
import org.grim.transport.TransportKeys;

import static org.grim.transport.Key.MINUTE;
import static org.grim.transport.Key.MS;
import static org.grim.transport.Key.Unit.BYTES;
import static org.grim.transport.Key.Unit.NANOSECONDS;

/** Keys of every node. Immutable. */
record NodeKeys(
    @Key(value = "node.name", max = NodeKeys.LABEL_LENGTH_MAX,
        text = "Name of the node, unique among the live nodes of the cluster. Empty: `node-` and the process id.")
    String name,
    @Key(value = "node.host", initial = "local", min = 1, max = NodeKeys.LABEL_LENGTH_MAX,
        text = "Label of the host. Nodes of one cluster directory with different labels do not use each other's " +
        "memory; they go through network interfaces, as nodes of two hosts do.")
    String hostLabel,
    @Key(value = "cluster.name", initial = NodeKeys.CLUSTER_UNNAMED, form = "(?!\\.)[A-Za-z0-9._-]{1,64}",
        formText = "1 to 64 letters, digits, '.', '_' or '-', not beginning with '.'",
        text = "Nodes of one host with the same name and directory are one cluster.")
    String cluster,
    @Key(value = "cluster.directory", max = 4095,
        text = "The cluster's files are in a directory of the cluster's name below this one, mode 0700. Empty: " +
        "`/dev/shm/grim-USER`, with the user's number where the system has no name for the user. Should be on a " +
        "tmpfs. The path of the cluster's directory has at most 77 bytes; no other user may own or write a part of " +
        "it, except directories with the sticky bit ([other users](developers/shared-memory.md#other-users)).")
    String directory,
    @Key(value = "cluster.nodes-max", initial = "64", min = 1, max = EndpointId.NODE_MAX + 1,
        text = "Maximum number of nodes. The node that makes the cluster decides; the others take the number that " +
        "they find.")
    int nodeCountMax,
    @Key(value = "cluster.size", initial = "0", maxKey = "cluster.nodes-max",
        text = "Number of nodes that `awaitNodes(timeout)` waits for; a time-out names those of NAME-0, NAME-1 and " +
        "so on that are missing. A launcher may set it. 0: not known. At most `cluster.nodes-max`.")
    int clusterSize,
    @Key(value = "transports", initial = "[]", countMax = 16, max = NodeKeys.LABEL_LENGTH_MAX,
        text = "Names of the transports to open, in the order in which they are tried. Empty: all on the class path " +
        "that may be opened unasked: `null` and `shmem`, but not `aeron` and `myrinet`.")
    List<String> transports,
    TransportKeys channels,
    @Key(value = "overflow.ceiling", initial = "32MiB", unit = BYTES, max = 1L << 40,
        text = "Maximum bytes that the overflow queues of one endpoint hold together, including messages in parts " +
        "that wait for their receiver. Above it a handler's send throws. Memory is taken on use.")
    long overflowCeiling,
    @Key(value = "warm-up", initial = "0s", unit = NANOSECONDS, max = MINUTE,
        text = "Maximum time that joining spends on a [warm-up](operations.md#warm-from-the-first-message); 0: none. " +
        "Two nodes in a temporary cluster exchange messages until the JIT compiler is idle; only then the node " +
        "joins. Takes about 0.4 s with null, 1 to 3 s with shmem and 5 to 15 s with myrinet on two busy cores.")
    long warmUpNs,
    @Key(value = "poll.drain-limit", initial = "32", min = 1, max = 1 << 16,
        text = "Messages taken from a queue at a time, times the weight of its channel.")
    int drainLimit,
    @Key(value = "liveness.interval", initial = "10ms", unit = NANOSECONDS, min = MS, max = MINUTE,
        text = "Interval at which an endpoint that polls asks the kernel whether peers run, 16 node numbers at a " +
        "time. The clock is read once in some dozens of polls and messages, so a death is noticed within this " +
        "interval and the time that those take.")
    long livenessIntervalNs,
    @Key(value = "handlers.resolve-timeout", initial = "5s", unit = NANOSECONDS, max = 60 * MINUTE,
        text = "Maximum time that `resolve` and `start` wait.")
    long resolveTimeoutNs,
    @Key(value = "counters.file", initial = "true",
        text = "Whether tools can read the node's counters: in a file in the cluster's directory, where there is one.")
    boolean hasCountersFile,
    @Key(value = "node.mxbean", initial = "false",
        text = "Whether JMX shows the node, as `org.grim:type=Node,cluster=NAME,node=NAME`, until it leaves. The " +
        "first use of JMX takes a JVM some 50 ms; nothing is paid per message.")
    boolean hasBean,
    MessageLimits messages,
    MemorySettings memory)
{
    static final int LABEL_LENGTH_MAX = 60;
    static final String CLUSTER_UNNAMED = "default";
}
