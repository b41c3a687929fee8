// SPDX-License-Identifier: Apache-2.0
/** Groups of nodes: multicast and collective operations. Depends on {@code org.grim} alone. */
package org.grim.group;
