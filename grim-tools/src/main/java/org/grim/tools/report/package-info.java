// SPDX-License-Identifier: Apache-2.0
/**
 * What commands print: tables for people, JSON for programs. Any thread. Imports Jackson only.
 */
package org.grim.tools.report;
