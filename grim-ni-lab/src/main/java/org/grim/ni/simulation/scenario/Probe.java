// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.simulation.scenario;

/** Situations that a campaign of many seeds must have reached, or it has not tested them. */
public enum Probe
{
    /** A sequence number returned to 0. */
    SEQUENCE_WRAPPED,
    /** A token was assigned a second time. */
    TOKEN_REUSED,
    /** A triple had as many messages in flight as its window allows. */
    WINDOW_FULL,
    /** All tokens of an NI were in flight. */
    TOKENS_EXHAUSTED,
    /** A channel had as many messages unsettled as its quota allows. */
    QUOTA_REACHED,
    /** A message was refused for lack of room. */
    NACK_SEEN,
    /** A triple went back while another one of its channel went on. */
    ROLLBACK_BESIDE_FLOW,
    /** A message was sent again after a time-out. */
    TIME_OUT_SEEN,
    /** A copy of something accepted was dropped. */
    COPY_DROPPED,
    /** A message behind a missing one was dropped. */
    LATER_DROPPED,
    /** An answer to nothing was dropped. */
    STALE_ANSWER_DROPPED,
    /** A packet of an NI that had not shown that it knows this one's epoch was dropped. */
    UNSYNCHRONISED_DROPPED,
    /** A peer was given up. */
    PEER_GONE,
    /** A peer that was given up came back. */
    PEER_RESUMED,
    /** An NI restarted with messages in flight. */
    RESTART_IN_FLIGHT,
    /** The wire pushed back. */
    WIRE_BUSY,
    /** A message was sent before its host had written all of it. */
    CUT_THROUGH_SENT,
    /** A packet ended early. */
    CUT_PACKET,
    /** An address was not in the translation cache. */
    TRANSLATION_MISSED,
    /** A remote-memory operation was refused. */
    OPERATION_REFUSED,
    /** A message's gap was closed by filler. */
    FILLER_WRITTEN,
    /** An arrival queue began again at its start. */
    ARRIVAL_WRAPPED,
    /** A message arrived with a tail flag. */
    TAIL_FLAG_ARRIVAL,
    /** A message arrived with a queue pointer. */
    POINTER_ARRIVAL,
    /** A remote write was notified. */
    WRITE_NOTIFIED,
    /** A remote read was answered. */
    READ_NOTIFIED,
    /** A link stalled and went on. */
    LINK_STALLED,
    /** A partition ended. */
    PARTITION_HEALED,
    /** A receiver stopped and went on. */
    RECEIVER_RESUMED,
    /** A host process restarted. */
    HOST_RESTARTED,
    /** An NI was killed. */
    NI_KILLED,
    /** A message ended as unknown. */
    OUTCOME_UNKNOWN,
    /** A message ended as undelivered. */
    OUTCOME_UNDELIVERED,
    /** A message was cut, since its host did not go on with it. */
    INJECTION_CUT,
    /** A message was pulled from host memory. */
    MESSAGE_PULLED,
    /** A page of registered memory was freed, forgotten by the board and taken back by its host. */
    MEMORY_REUSED,
    /** A multicast was read. */
    MULTICAST_DELIVERED,
    /** A tree changed, and all its subscribers had confirmed the end of the epoch before. */
    TREE_CHANGED,
    /** A tree got another root. */
    ROOT_CHANGED,
    /** A tree changed before a subscriber had the last of the epoch before. */
    SUBSCRIBER_JUMPED,
    /** A child was cut out of a tree. */
    CHILD_CUT,
    /** The last fragment of a multicast was read. */
    FRAGMENTS_COMPLETE
}
