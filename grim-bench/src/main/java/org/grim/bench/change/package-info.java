// SPDX-License-Identifier: Apache-2.0
/**
 * How two runs of all benchmarks differ, and which differences are more than noise. No thread of its own. Imports
 * figures, tables and the library of distributions.
 */
package org.grim.bench.change;
