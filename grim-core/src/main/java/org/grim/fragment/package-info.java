// SPDX-License-Identifier: Apache-2.0
/**
 * Messages longer than the MTU: the words of their parts, and the machines of both sides, without clocks and without
 * sending anything themselves; blocks of memory for them. Thread: the endpoint's owner. May import
 * {@code org.grim.buffer}, {@code .wire}, {@code .transport} and value types of {@code org.grim}.
 */
package org.grim.fragment;
