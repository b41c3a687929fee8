// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.fabric;

/** Why a packet of a lossy wire was dropped when its envelope was taken off. */
public enum EnvelopeReject
{
    /** It ended before its announced length. */
    CUT,
    /** It is shorter than an envelope with one byte in it, too long, or not as long as its envelope says. */
    LENGTH,
    /** It does not begin with the magic number of this version. */
    MAGIC,
    /** Its bytes are not those that were sent. */
    CHECKSUM,
    /** Bits that must be 0 are not. */
    RESERVED,
    /** It is for another NI. */
    DESTINATION,
    /** A packet of the same source with this number or a higher one was here before. */
    LATE
}
