// SPDX-License-Identifier: Apache-2.0
/**
 * Memory: the one factory of buffers, atomic words, an allocator of blocks, and files mapped into several
 * processes. Any thread; imports Agrona and {@code org.grim} only.
 */
package org.grim.buffer;
