// SPDX-License-Identifier: Apache-2.0
/** Membership of groups, multicast and collective operations: built-in handlers over the host endpoint's links. */
package org.grim.collective;
