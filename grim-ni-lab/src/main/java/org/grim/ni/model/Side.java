// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.model;

/**
 * What a host and its board have one of: the bus between them, which programmed I/O and the board's host engine share
 * in both directions, the board's processor, its send engine. And its buffers for what arrives.
 */
final class Side
{
    final Agenda agenda;
    final Resource bus;
    final Resource processor;
    final Resource sendEngine;
    final Resource receiveBuffers;

    Side(final Agenda agenda, final int receiveBufferCount)
    {
        this.agenda = agenda;
        bus = new Resource(agenda, 1);
        processor = new Resource(agenda, 1);
        sendEngine = new Resource(agenda, 1);
        receiveBuffers = new Resource(agenda, receiveBufferCount);
    }
}
