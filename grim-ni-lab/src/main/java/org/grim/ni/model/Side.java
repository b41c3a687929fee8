// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.model;

/**
 * What a host and its board have one of: the bus between them, which programmed I/O and the board's host engine share
 * in both directions, the board's processor, its send engine, its incoming message buffer; and the host's processor.
 */
final class Side
{
    final Agenda agenda;
    final Resource bus;
    final Resource processor;
    final Resource sendEngine;
    final Resource incomingBuffer;
    final Resource host;

    Side(final Agenda agenda)
    {
        this.agenda = agenda;
        bus = new Resource(agenda);
        processor = new Resource(agenda);
        sendEngine = new Resource(agenda);
        incomingBuffer = new Resource(agenda);
        host = new Resource(agenda);
    }
}
