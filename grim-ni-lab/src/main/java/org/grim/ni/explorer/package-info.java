// SPDX-License-Identifier: Apache-2.0
/**
 * Exhaustive search over small models of the delivery protocol: every state that the real windows can reach, and
 * whether each can still end well. A tool of tests; any one thread. Imports delivery and guard.
 */
package org.grim.ni.explorer;
