// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.injection;

/** Outcome of an injection. */
public enum InjectionResult
{
    /** The payload stands in the board's memory: publish the message. */
    COMPLETE,
    /**
     * The board did not pull by the deadline, and may still do so. Nothing of the message was published: abort its
     * claim, and claim nothing on this channel before {@link InjectionTarget#isSettled()}. The content of the room is
     * then unspecified; the payload must be injected again. The source may be reused at once.
     */
    PENDING,
    /**
     * The board refused a pull and stopped the channel, or its registers say what cannot be. The message will never be
     * sent; the channel must be set up again. The source may be reused at once.
     */
    REFUSED
}
