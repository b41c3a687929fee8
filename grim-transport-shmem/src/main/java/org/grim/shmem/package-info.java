// SPDX-License-Identifier: Apache-2.0
/**
 * The shared-memory transport (SMT): each node's inbox is a file that its peers map. Threads as the SPI says. Imports
 * {@code org.grim.buffer, org.grim.queue, org.grim.transport}.
 */
package org.grim.shmem;
