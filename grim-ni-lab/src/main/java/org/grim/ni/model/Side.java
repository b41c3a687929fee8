// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.model;

import org.grim.ni.clock.VirtualClock;

/**
 * Resources of a host and its board that exist once: the bus between them, which programmed I/O and the board's host
 * engine share in both directions, the board's processor, its send engine, its incoming message buffer; and the host's
 * processor.
 */
final class Side
{
    final VirtualClock clock;
    final Resource bus;
    final Resource processor;
    final Resource sendEngine;
    final Resource incomingBuffer;
    final Resource host;

    Side(final VirtualClock clock)
    {
        this.clock = clock;
        bus = new Resource(clock);
        processor = new Resource(clock);
        sendEngine = new Resource(clock);
        incomingBuffer = new Resource(clock);
        host = new Resource(clock);
    }
}
