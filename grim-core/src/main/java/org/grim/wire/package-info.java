// SPDX-License-Identifier: Apache-2.0
/**
 * The message format that every transport carries: flyweights over somebody's buffer, and the reasons to refuse bytes.
 * Any thread, no state; imports Agrona only.
 */
package org.grim.wire;
