// SPDX-License-Identifier: Apache-2.0
/**
 * The guards of the NI's protocol by name, and the switch that lets tests take one away. Any thread, no state; imports
 * nothing.
 */
package org.grim.ni.guard;
