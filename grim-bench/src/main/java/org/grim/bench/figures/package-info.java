// SPDX-License-Identifier: Apache-2.0
/**
 * The files of a run of all benchmarks: a directory of JSON files with every figure that was measured. Written by
 * the harness, read by reports; no thread of its own. Imports nothing of this module.
 */
package org.grim.bench.figures;
