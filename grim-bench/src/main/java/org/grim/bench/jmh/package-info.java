// SPDX-License-Identifier: Apache-2.0
/**
 * JMH benchmarks. JMH's threads. Imports {@code org.grim}, the internals of core, firmware and driver, and
 * {@code org.grim.bench.nodes}.
 */
package org.grim.bench.jmh;
