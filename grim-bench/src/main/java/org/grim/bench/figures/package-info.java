// SPDX-License-Identifier: Apache-2.0
/**
 * What a run of all benchmarks leaves behind: a directory of JSON files with every figure that was measured. Written by
 * the harness, read by reports; no thread of its own. Imports nothing of this module.
 */
package org.grim.bench.figures;
