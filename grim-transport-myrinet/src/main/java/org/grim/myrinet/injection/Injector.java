// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.injection;

import org.agrona.DirectBuffer;

/**
 * Moves a payload into room that was claimed in a channel's queue. Writes these bytes and no other ones.
 * <p>Thread: the channel's sender. Stateless: what a channel needs stands in its {@link InjectionTarget}, so that one
 * injector serves all channels. Never allocates.
 */
public interface Injector
{
    /**
     * Whether it can move this payload: some need a source outside the heap, or in the DMA region.
     *
     * @param target where it goes.
     * @param source that holds it.
     * @param offset of its first byte.
     * @param length bytes, 0 or more.
     * @return true if {@link #inject} may be called.
     */
    boolean isApplicable(InjectionTarget target, DirectBuffer source, int offset, int length);

    /**
     * Moves the payload. Returns at the latest when the target's {@link BoardWait} says that its deadline has passed.
     *
     * @param target placed by {@link InjectionTarget#at}, and settled.
     * @param source that holds the payload, unchanged until the return.
     * @param offset of its first byte.
     * @param length bytes, 0 or more.
     * @return what became of it.
     * @throws IllegalStateException if the target is not settled.
     */
    InjectionResult inject(InjectionTarget target, DirectBuffer source, int offset, int length);
}
