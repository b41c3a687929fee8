// SPDX-License-Identifier: Apache-2.0
/**
 * What GRIM is compared with, GRIM itself behind the same interface, and the code that measures them, which
 * {@code grim bench} loads again for each peer. Measuring threads; imports the public API, {@code org.grim.buffer},
 * and of the benchmarks {@code process} and {@code compare}.
 */
package org.grim.bench.peers;
