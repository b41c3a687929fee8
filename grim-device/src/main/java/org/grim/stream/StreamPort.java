// SPDX-License-Identifier: Apache-2.0
package org.grim.stream;

import java.util.List;

import org.agrona.DirectBuffer;
import org.grim.EndpointId;
import org.grim.SendStatus;

/** Paths out of owners and sinks of connections. Thread: the one that polls the streams. */
interface StreamPort
{
    /** Sends a message; see {@link org.grim.Link#send}. */
    SendStatus send(
        int endpoint, int handler, int a0, int a1, int a2, DirectBuffer buffer, int offset, int length);

    /** Sends a request. Returns null if there is no room now. */
    Call call(int endpoint, int handler, int a0, int a1, DirectBuffer buffer, int length);

    /** Says whether an accelerator is up. */
    boolean isUp(EndpointId device);

    /** Says whether an endpoint is there: neither is its node gone nor its device closed. */
    boolean isPresent(EndpointId endpoint);

    /** {@return accelerators that are up, on their first channels} */
    List<EndpointId> accelerators();

    /** Finds the number of a handler; 0 if the cluster does not know the name yet. */
    int handler(String name);

    /** A request under way. */
    interface Call
    {
        /** {@return whether it has ended} */
        boolean isComplete();

        /** {@return why the device refuses, or why there is no answer; null if the answer is good} */
        String refusal();

        /** {@return whether the device itself has refused or answered} */
        boolean isAnswered();

        /** {@return argument 1 of a good answer} */
        int value();

        /** {@return payload of a good answer, from index 0} */
        DirectBuffer buffer();

        /** {@return bytes of that payload} */
        int length();
    }
}
