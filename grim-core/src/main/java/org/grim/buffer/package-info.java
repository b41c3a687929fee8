// SPDX-License-Identifier: Apache-2.0
/**
 * Memory: the one factory of buffers, and files mapped into several processes. Any thread; imports Agrona and
 * {@code org.grim.GrimException} only.
 */
package org.grim.buffer;
