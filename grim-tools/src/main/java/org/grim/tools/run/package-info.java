// SPDX-License-Identifier: Apache-2.0
/**
 * The command {@code run}: ranks of a program as processes of this host and others, and their end. One main thread
 * decides; a daemon thread per stream of output. Imports {@code org.grim}, and of the tools {@code process}.
 */
package org.grim.tools.run;
