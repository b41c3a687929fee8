// SPDX-License-Identifier: Apache-2.0
/**
 * Pages that show a run of all benchmarks, or how two of them differ: one HTML file each, that needs nothing else to be
 * viewed. No thread of its own. Imports figures, changes and the plotting libraries; knows no peer but by its name.
 */
package org.grim.bench.page;
