// SPDX-License-Identifier: Apache-2.0
/**
 * Receive queues over shared or private memory: the inbox of a node and the two ends of an exclusive queue. One thread
 * at each end; no clock, no threads, no files. Imports {@code org.grim.buffer, org.grim.transport, org.grim.wire}.
 */
package org.grim.queue;
