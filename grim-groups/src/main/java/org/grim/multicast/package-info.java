// SPDX-License-Identifier: Apache-2.0
/** Multicasts within a host: one copy in memory that all members read in place. Numbers of trees between hosts. */
package org.grim.multicast;
