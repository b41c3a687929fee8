// SPDX-License-Identifier: Apache-2.0
/**
 * The null transport: a node's messages to itself, through an inbox in its own memory. One thread per channel and link.
 * Imports {@code org.grim.buffer, org.grim.queue, org.grim.transport}.
 */
package org.grim.loopback;
