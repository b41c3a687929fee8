// SPDX-License-Identifier: Apache-2.0
/**
 * GRIM's network interface: board, control program, wires between boards. No API: its packages are for GRIM's own
 * tools.
 */
module org.grim.ni
{
    requires transitive org.agrona;
    requires transitive org.grim.board;
    requires transitive org.grim.core;

    provides org.grim.board.FirmwareProvider with org.grim.ni.service.SoftwareBoardProvider;
}
