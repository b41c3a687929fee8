// SPDX-License-Identifier: Apache-2.0
/**
 * The arithmetic of go-back-N for one triple: sequence numbers, what a sender may send, what a receiver expects. No
 * clock, thread or input and output; the explorer visits all its states. Imports nothing.
 */
package org.grim.ni.window;
