// SPDX-License-Identifier: Apache-2.0
/**
 * A transport as somebody outside of GRIM would write it, with {@code org.grim} and {@code org.grim.transport} alone:
 * nodes of one process, over Agrona's ring buffers.
 */
package org.example.rings;
