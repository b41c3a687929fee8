// SPDX-License-Identifier: Apache-2.0
/**
 * GRIM's transport between hosts, over Aeron. Offers services; nobody calls it by name, but that a launcher may start
 * {@code org.grim.aeron.DriverProcess}.
 */
module org.grim.aeron
{
    requires io.aeron.client;
    requires io.aeron.driver;
    requires org.agrona;
    requires org.grim.core;
    requires org.slf4j;

    opens org.grim.aeron to org.grim.core;

    provides org.grim.transport.HopObserver with org.grim.aeron.observe.AeronObserver;
    provides org.grim.transport.TransportProvider with org.grim.aeron.AeronTransportProvider;
}
