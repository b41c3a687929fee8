// SPDX-License-Identifier: Apache-2.0
/**
 * The message format that every transport carries: flyweights over other classes' buffers.
 * Any thread, no state; imports the reasons to refuse bytes from {@code org.grim.transport}.
 */
package org.grim.wire;
