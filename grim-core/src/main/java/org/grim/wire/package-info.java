// SPDX-License-Identifier: Apache-2.0
/**
 * The message format that every transport carries: flyweights over other classes' buffers.
 * Any thread, no state; imports {@code org.grim} alone.
 */
package org.grim.wire;
