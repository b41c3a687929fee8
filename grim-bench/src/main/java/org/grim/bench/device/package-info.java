// SPDX-License-Identifier: Apache-2.0
/**
 * Devices and streams beside what does the same without them, by turns. Main threads of the first process and of its
 * others. Imports {@code org.grim}, its devices and streams, the rows of {@code groups}, and {@code process} of the
 * tools.
 */
package org.grim.bench.device;
