// SPDX-License-Identifier: Apache-2.0
/**
 * Deadlines and the estimate that they are made from. Time is an argument. Imports nothing.
 */
package org.grim.ni.deadline;
