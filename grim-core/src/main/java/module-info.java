// SPDX-License-Identifier: Apache-2.0
/**
 * GRIM: active messages between processes, over pluggable transports. Applications need {@code org.grim}; transports
 * need {@code org.grim.transport}; everything else is for GRIM's own modules.
 */
@SuppressWarnings("module")         // The modules that qualified exports name are built after this one.
module org.grim.core
{
    exports org.grim;
    exports org.grim.transport;
    exports org.grim.buffer to org.grim.aeron, org.grim.board, org.grim.device, org.grim.groups, org.grim.mpi,
        org.grim.network, org.grim.shmem, org.grim.sockets, org.grim.myrinet, org.grim.ni;
    exports org.grim.cluster to org.grim.groups, org.grim.network, org.grim.sockets;
    exports org.grim.counters to org.grim.board, org.grim.groups, org.grim.network;
    exports org.grim.crypto to org.grim.aeron, org.grim.network;
    exports org.grim.endpoint to org.grim.groups;
    exports org.grim.extension to org.grim.groups;
    exports org.grim.memory to org.grim.aeron, org.grim.groups, org.grim.myrinet;
    exports org.grim.queue to org.grim.shmem, org.grim.myrinet, org.grim.ni;
    exports org.grim.shared to org.grim.mpi, org.grim.sockets;
    exports org.grim.text to org.grim.myrinet, org.grim.network, org.grim.sockets;
    exports org.grim.thread to org.grim.aeron, org.grim.device, org.grim.mpi, org.grim.network, org.grim.sockets,
        org.grim.myrinet;
    exports org.grim.wire to org.grim.aeron, org.grim.board, org.grim.groups, org.grim.shmem, org.grim.myrinet,
        org.grim.ni;

    requires transitive org.agrona;
    requires typesafe.config;
    requires org.slf4j;
    requires java.management;
    requires static jdk.jfr;

    uses org.grim.cluster.HostNetworkProvider;
    uses org.grim.extension.NodeExtensionProvider;
    uses org.grim.transport.HopObserver;
    uses org.grim.transport.TransportProvider;

    provides org.grim.transport.TransportProvider with org.grim.loopback.NullTransportProvider;
}
