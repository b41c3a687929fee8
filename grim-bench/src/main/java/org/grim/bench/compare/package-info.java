// SPDX-License-Identifier: Apache-2.0
/**
 * Programs of others as peers, with processes of their own, where they are installed; and the machine, for reports.
 * Measuring threads. Imports {@code pair} and {@code process} of the tools.
 */
package org.grim.bench.compare;
