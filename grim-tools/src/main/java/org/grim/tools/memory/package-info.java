// SPDX-License-Identifier: Apache-2.0
/**
 * Agrona's buffers as the JDK wants memory: for channels, digests and checksums. Any one thread. Imports Agrona only.
 */
package org.grim.tools.memory;
