// SPDX-License-Identifier: Apache-2.0
/**
 * The unified memory-notification loop: one table of words to look at, of all transports. One thread per loop. Imports
 * {@code org.grim.buffer, org.grim.transport}.
 */
package org.grim.loop;
