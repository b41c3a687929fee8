// SPDX-License-Identifier: Apache-2.0
/**
 * {@code grim bench}: who is compared with whom, who is measured when, in two processes, and what comes of it.
 * Measuring threads. Imports process, report and nodes; the peers themselves are loaded by name, each in a class loader
 * of its own.
 */
package org.grim.bench.compare;
