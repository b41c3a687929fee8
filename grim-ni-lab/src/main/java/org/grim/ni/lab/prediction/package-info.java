// SPDX-License-Identifier: Apache-2.0
/**
 * The command {@code model}: what is asked of the model of the original system, and how people, programs and plots get
 * the answers. Main thread, and the common pool while the model runs. Imports report.
 */
package org.grim.ni.lab.prediction;
