// SPDX-License-Identifier: Apache-2.0
/**
 * {@code grim bench all}: sections of short life, each in fresh processes, fork after fork, and what they come to in a
 * {@code FigureDirectory}. The first process waits and collects; measuring threads are those of the sections'
 * processes. Imports the public API and all other packages of the benchmarks but {@code cli}.
 */
package org.grim.bench.all;
