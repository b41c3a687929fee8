// SPDX-License-Identifier: Apache-2.0
/**
 * What is said alike of all queues that stand still: nodes as they were seen, causes, times in words. Any thread.
 * Imports {@code org.grim}.
 */
package org.grim.tools.observe.stall;
