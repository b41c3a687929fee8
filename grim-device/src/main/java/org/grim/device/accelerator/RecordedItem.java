// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import org.agrona.DirectBuffer;

/**
 * An item as its kernel got it, from the record of a device. Valid until the next one is read.
 *
 * @param number   of the item among those that the device has run since the record began, from 0; 32 bits.
 * @param timeNs   when it ran, since 1970.
 * @param device   key of the device.
 * @param kernel   name of the kernel.
 * @param a0       argument 0 of the item.
 * @param sequence of the item; low 32 bits.
 * @param constant argument 2 of the item.
 * @param payload  of the item, from index 0.
 * @param length   bytes of it.
 */
public record RecordedItem(
    long number, long timeNs, int device, String kernel, int a0, int sequence, int constant, DirectBuffer payload,
    int length)
{
    /** {@return whether the kernel had operands in pages, which the record does not have} */
    public boolean hasPages()
    {
        return ItemFormat.hasPages(a0);
    }
}
