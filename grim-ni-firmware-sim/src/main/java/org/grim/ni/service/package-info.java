// SPDX-License-Identifier: Apache-2.0
/**
 * A board in software: the control program over memory that processes share, with a wire of shared memory, for the
 * nodes that attach to it. Runs on the thread that steps the firmware. Knows the node's transport context.
 */
package org.grim.ni.service;
