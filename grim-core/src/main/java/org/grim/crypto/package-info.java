// SPDX-License-Identifier: Apache-2.0
/**
 * The key of a cluster of several hosts, read from a file; keys of one purpose derived from it, and seals with them.
 * Any thread. May import {@code org.grim} and {@code org.grim.buffer}.
 */
package org.grim.crypto;
