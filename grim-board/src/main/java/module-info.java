// SPDX-License-Identifier: Apache-2.0
/** Layout of a board's memory: what driver and firmware both see. No API: its package is for GRIM's own modules. */
@SuppressWarnings("module")         // The modules that the export names are built after this one.
module org.grim.board
{
    requires transitive org.agrona;
    requires transitive org.grim.core;

    exports org.grim.board to org.grim.ni, org.grim.myrinet;
    exports org.grim.board.counters to org.grim.ni;
    exports org.grim.board.host to org.grim.ni, org.grim.myrinet;
}
