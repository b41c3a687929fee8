// SPDX-License-Identifier: Apache-2.0
/**
 * Injection of payloads into the board's memory: the mechanisms, and the plan that chooses one for each size. Thread:
 * the channel's sender. Imports {@code org.grim.board}, {@code org.grim.myrinet.posix}.
 */
package org.grim.myrinet.injection;
