// SPDX-License-Identifier: Apache-2.0
/**
 * The laboratory's commands: options and exit codes. Main thread. Imports the other packages of the laboratory, and
 * {@code org.grim.tools.cli}.
 */
package org.grim.ni.lab.cli;
