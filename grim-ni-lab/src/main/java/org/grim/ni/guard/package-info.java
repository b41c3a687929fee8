// SPDX-License-Identifier: Apache-2.0
/**
 * The guards of the NI's protocol by name, and for each a planted bug: an object that stands in place of a part of the
 * firmware, of its wire, its engine or its listener. One thread a run. Imports the firmware and the fabric.
 */
package org.grim.ni.guard;
