// SPDX-License-Identifier: Apache-2.0
/** GRIM's shared-memory transport (SMT). Offers a service; nobody calls it by name. */
module org.grim.shmem
{
    requires org.agrona;
    requires org.grim.core;
    requires org.slf4j;

    provides org.grim.transport.TransportProvider with org.grim.shmem.ShmemTransportProvider;
}
