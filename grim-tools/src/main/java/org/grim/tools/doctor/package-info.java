// SPDX-License-Identifier: Apache-2.0
/**
 * Obstacles to GRIM on this host, each with its cure.
 * <p>Beneath {@code cli}; reads the cluster's files and {@code /proc}, and writes nothing.
 */
package org.grim.tools.doctor;
