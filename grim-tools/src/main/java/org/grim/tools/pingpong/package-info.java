// SPDX-License-Identifier: Apache-2.0
/**
 * The command {@code pingpong}: latency and rate between two JVMs beside the least that passes as much. The measuring
 * thread; imports {@code org.grim.tools.pair}.
 */
package org.grim.tools.pingpong;
