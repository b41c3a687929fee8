// SPDX-License-Identifier: Apache-2.0
/** GRIM's Myrinet transport: the host side of a LANai board. Offers a service; nobody calls it by name. */
@SuppressWarnings("module")         // The command line, which the exports name, is no module.
module org.grim.myrinet
{
    requires org.agrona;
    requires org.grim.core;
    requires org.jnrproject.ffi;
    requires org.slf4j;
    requires typesafe.config;

    uses org.grim.board.FirmwareProvider;
}
