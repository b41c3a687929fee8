// SPDX-License-Identifier: Apache-2.0
/**
 * Counters and the distinct error log of a node, in a file that tools map, and their reader. Writers: the threads that
 * own endpoints; readers: anybody. Imports {@code org.grim.buffer, org.grim.text}.
 */
package org.grim.counters;
