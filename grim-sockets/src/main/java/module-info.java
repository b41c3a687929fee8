// SPDX-License-Identifier: Apache-2.0
/** GRIM under {@code java.nio.channels}: the JVM loads the provider by its name. */
module org.grim.sockets
{
    exports org.grim.sockets;
    exports org.grim.sockets.observe;

    requires org.agrona;
    requires transitive org.grim.core;
    requires org.slf4j;

    opens org.grim.sockets.node to org.grim.core;

    provides java.nio.channels.spi.SelectorProvider with org.grim.sockets.GrimSelectorProvider;
}
