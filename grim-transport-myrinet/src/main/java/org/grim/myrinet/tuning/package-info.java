// SPDX-License-Identifier: Apache-2.0
/**
 * Measures a board's injection mechanisms and makes the plan that chooses one for each size. Thread: one. Imports
 * {@code org.grim.board} and {@code org.grim.myrinet.injection}.
 */
package org.grim.myrinet.tuning;
