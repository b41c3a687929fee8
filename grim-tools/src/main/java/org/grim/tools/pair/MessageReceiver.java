// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.pair;

import org.agrona.DirectBuffer;

/** Takes messages; may send, must not poll. */
public interface MessageReceiver
{
    /**
     * A message has come.
     *
     * @param buffer holding the payload, until this returns.
     * @param offset first byte.
     * @param length bytes.
     */
    void onMessage(DirectBuffer buffer, int offset, int length);
}
