// SPDX-License-Identifier: Apache-2.0
/**
 * Answers and announcements between NIs: how they are written, and where they wait for the link. Stepped by the
 * control program. Imports board and deadline.
 */
package org.grim.ni.control;
