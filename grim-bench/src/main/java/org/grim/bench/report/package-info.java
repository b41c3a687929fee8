// SPDX-License-Identifier: Apache-2.0
/**
 * Output of figures: tables for people, rows of JSON for programs, how two runs differ beyond noise, and
 * pages: one HTML file each, drawn by Apache ECharts in the browser without the network. A page is data; the template
 * shows it. Any thread. Imports figures and the reports of the tools.
 */
package org.grim.bench.report;
