// SPDX-License-Identifier: Apache-2.0
/** Connects the hosts of a GRIM cluster. Offers a service; nobody calls it by name. */
module org.grim.network
{
    requires org.agrona;
    requires org.grim.core;
    requires org.jgroups;
    requires org.slf4j;

    opens org.grim.network to org.grim.core;
    opens org.grim.network.launcher to org.grim.core;

    provides org.grim.cluster.HostNetworkProvider with org.grim.network.EmbeddedAgentProvider;
}
