// SPDX-License-Identifier: Apache-2.0
/**
 * Delivery of an NI to its host: arrival queues, remote memory, address translation. State machines without clock or
 * thread, stepped by the control program. Imports board, guard, and core's buffers, board layout and wire format.
 */
package org.grim.ni.memory;
