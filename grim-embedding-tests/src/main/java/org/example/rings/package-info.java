// SPDX-License-Identifier: Apache-2.0
/**
 * A transport from outside of GRIM, written with {@code org.grim} and {@code org.grim.transport} alone: nodes of one
 * process, over Agrona's ring buffers.
 */
package org.example.rings;
