// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.delivery;

/** Listener for channels that may have messages to send. Thread: the board's stepper. */
@FunctionalInterface
public interface ReadyChannels
{
    /** A channel may have something to send. */
    void onReady(int channel);
}
