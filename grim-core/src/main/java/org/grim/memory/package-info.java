// SPDX-License-Identifier: Apache-2.0
/**
 * Registered memory: a node's regions and the directory that peers find them in, and one-sided access to both. Register
 * and free: any thread; an operation: the owner of its link. Imports {@code org.grim.buffer, org.grim.queue,
 * org.grim.transport}.
 */
package org.grim.memory;
