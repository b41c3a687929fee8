// SPDX-License-Identifier: Apache-2.0
/**
 * Processes that end, or stop, before a given store or change of the file system: for enumerating every such point.
 * The victim's thread; imports nothing of GRIM.
 */
package org.grim.crash;
