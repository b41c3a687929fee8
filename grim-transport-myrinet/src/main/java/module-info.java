// SPDX-License-Identifier: Apache-2.0
/** GRIM's Myrinet transport: the host side of a LANai board. Offers a service; nobody calls it by name. */
@SuppressWarnings("module")         // The command line, which the exports name, is no module.
module org.grim.myrinet
{
    exports org.grim.myrinet.extension;

    requires transitive org.agrona;
    requires org.grim.board;
    requires org.grim.core;
    requires org.jnrproject.ffi;
    requires org.slf4j;
    requires typesafe.config;

    opens org.grim.myrinet to org.grim.core;
    opens org.grim.myrinet.injection to org.grim.core;
    opens org.grim.myrinet.posix;       // To JNR's class loader, whose module has no name, for one interface.

    uses org.grim.board.FirmwareProvider;

    provides org.grim.transport.TransportProvider with org.grim.myrinet.MyrinetTransportProvider;
}
