// SPDX-License-Identifier: Apache-2.0
/**
 * The command {@code demo-cluster}: hosts, and nodes on them that send to all others. Main threads. Imports
 * {@code org.grim} and of the tools {@code pair} and {@code process}.
 */
package org.grim.tools.demo;
