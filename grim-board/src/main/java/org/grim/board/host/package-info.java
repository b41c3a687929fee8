// SPDX-License-Identifier: Apache-2.0
/**
 * A host's access to its board's memory: it appends to a channel's queue, reads arrivals, answers translation requests.
 * The threads of the endpoint that owns the channel. Imports the layout of SRAM and the message format.
 */
package org.grim.board.host;
