// SPDX-License-Identifier: Apache-2.0
/**
 * Virtual time: a clock that jumps from event to event. One thread steps it and everything that hangs on it. Imports
 * board.
 */
package org.grim.ni.clock;
