// SPDX-License-Identifier: Apache-2.0
/**
 * JMH benchmarks. JMH's threads. Imports {@code org.grim} and core's internals.
 */
package org.grim.bench.jmh;
