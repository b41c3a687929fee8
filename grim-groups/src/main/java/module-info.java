// SPDX-License-Identifier: Apache-2.0
/** Groups of nodes: multicast and collective operations. Applications need {@code org.grim.group}. */
module org.grim.groups
{
    exports org.grim.group;

    requires transitive org.grim.core;
    requires org.agrona;
    requires org.slf4j;

    opens org.grim.collective to org.grim.core;

    provides org.grim.extension.NodeExtensionProvider with org.grim.collective.GroupsProvider;
}
