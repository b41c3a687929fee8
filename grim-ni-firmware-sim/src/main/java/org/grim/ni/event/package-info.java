// SPDX-License-Identifier: Apache-2.0
/**
 * Reports of reliable delivery to its listener: outcomes of messages, dropped packets, states of peers. Imports the
 * board's layout.
 */
package org.grim.ni.event;
