// SPDX-License-Identifier: Apache-2.0
/**
 * Output of commands: tables for people, JSON for programs, counters, times in words. Any thread. Imports Jackson, and
 * of GRIM {@code counters} and {@code text}.
 */
package org.grim.tools.report;
