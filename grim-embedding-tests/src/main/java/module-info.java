// SPDX-License-Identifier: Apache-2.0
/** What stands outside of GRIM: somebody's transport, and somebody's program, as named modules. */
module org.example
{
    requires org.agrona;
    requires org.grim.core;

    provides org.grim.transport.TransportProvider with org.example.rings.RingTransportProvider;
}
