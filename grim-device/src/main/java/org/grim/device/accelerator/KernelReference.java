// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import org.grim.HandlerId;

/**
 * A kernel of an image. Immutable.
 *
 * @param name  of the kernel.
 * @param id    of its handler.
 * @param slot  of its image.
 * @param index of the kernel in the image.
 */
record KernelReference(String name, HandlerId id, ImageSlot slot, int index)
{
}
