// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.event;

/** State of an NI's relation to another NI. */
public enum PeerState
{
    /** Nothing is under way; both may have known each other in an earlier epoch. */
    UNKNOWN,
    /** It was asked for its epoch. */
    CALLING,
    /** Each knows the other's epoch: data flows. */
    SYNCHRONISED,
    /** It did not answer. Messages to it are reported as undelivered at once, until it is heard or called again. */
    GONE
}
