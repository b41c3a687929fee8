// SPDX-License-Identifier: Apache-2.0
/**
 * Pages of plots and tables: one HTML file each, drawn by Apache ECharts in the browser, without the network. A page is
 * data; the template shows it. Any thread. Imports figures, changes and the report of {@code tune}.
 */
package org.grim.bench.page;
