// SPDX-License-Identifier: Apache-2.0
/**
 * GRIM's network interface: board, control program, wires between boards. No API: its packages are for GRIM's own
 * tools.
 */
@SuppressWarnings("module")         // What the exports name is built later, or is no module.
module org.grim.ni
{
    requires transitive org.agrona;
    requires transitive org.grim.board;
    requires transitive org.grim.core;
    requires typesafe.config;

    exports org.grim.ni.board to org.grim.ni.lab, org.grim.bench;
    exports org.grim.ni.control to org.grim.ni.lab, org.grim.bench;
    exports org.grim.ni.deadline to org.grim.ni.lab, org.grim.bench;
    exports org.grim.ni.delivery to org.grim.ni.lab, org.grim.bench;
    exports org.grim.ni.event to org.grim.ni.lab, org.grim.bench;
    exports org.grim.ni.firmware to org.grim.ni.lab, org.grim.bench;
    exports org.grim.ni.memory to org.grim.ni.lab, org.grim.bench;
    exports org.grim.ni.window to org.grim.ni.lab, org.grim.bench;
    exports org.grim.ni.wire to org.grim.bench;

    provides org.grim.board.FirmwareProvider with org.grim.ni.service.SoftwareBoardProvider;
}
