// SPDX-License-Identifier: Apache-2.0
/** Code outside of GRIM as named modules: a transport and a program. */
module org.example
{
    requires org.agrona;
    requires org.grim.core;

    provides org.grim.transport.TransportProvider with org.example.rings.RingTransportProvider;
}
