// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.wire;

/** Is told which NIs cannot be talked with any more. Thread: the board's stepper. */
@FunctionalInterface
public interface NiGoneListener
{
    /**
     * An NI's incarnation ended and everything that it had sent has been read; or packets to it had to be swallowed
     * since the last call. What was not answered will not be. The NI may come back in another incarnation.
     */
    void onGone(int ni);
}
