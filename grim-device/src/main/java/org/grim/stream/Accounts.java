// SPDX-License-Identifier: Apache-2.0
package org.grim.stream;

/**
 * Accounts of a connection: each injected item is in exactly one of the others. Immutable.
 *
 * @param injected  items that were accepted; also the sequence of the last one.
 * @param delivered items whose results the sink's handler has taken.
 * @param failed    items that a kernel or the sink's handler has failed on.
 * @param lost      items that the sink has not had, and will never have.
 * @param unknown   items of which the sink has said nothing, or its account was lost.
 */
public record Accounts(long injected, long delivered, long failed, long lost, long unknown)
{
    /** {@return items under way} */
    public long pending()
    {
        return injected - delivered - failed - lost - unknown;
    }
}
