// SPDX-License-Identifier: Apache-2.0
/**
 * JMH benchmarks. JMH's threads. Imports {@code org.grim}, the internals of core, firmware and driver, and
 * {@code org.grim.tools.boards, org.grim.bench.process, org.grim.bench.report}.
 */
package org.grim.bench.jmh;
