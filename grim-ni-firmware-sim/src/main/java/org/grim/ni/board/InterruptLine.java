// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.board;

/** The board's interrupt line towards its hosts' drivers. Thread: the board's stepper; the call must not block. */
@FunctionalInterface
public interface InterruptLine
{
    /** Asks a context's driver to look at what stands in its memory. A hint: who polls that memory may ignore it. */
    void raise(int context);
}
