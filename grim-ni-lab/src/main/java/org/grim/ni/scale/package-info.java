// SPDX-License-Identifier: Apache-2.0
/**
 * Many boards under load in virtual time: what the control program and the protocol are worth with up to 4,096 NIs. One
 * thread runs all of it. Imports everything but the checking simulator, whose books cost more than the boards.
 */
package org.grim.ni.scale;
