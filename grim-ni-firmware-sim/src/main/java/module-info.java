// SPDX-License-Identifier: Apache-2.0
/**
 * GRIM's network interface: board, control program, fabric between boards, and the simulator that proves them. No API:
 * its packages are for GRIM's own tools.
 */
@SuppressWarnings("module")         // The command line, which the exports name, is no module.
module org.grim.ni
{
    requires transitive org.agrona;
    requires transitive org.grim.core;
    requires typesafe.config;

    exports org.grim.ni.board to org.grim.bench;
    exports org.grim.ni.clock to org.grim.bench;
    exports org.grim.ni.delivery to org.grim.bench;
    exports org.grim.ni.explorer to org.grim.bench;
    exports org.grim.ni.fabric to org.grim.bench;
    exports org.grim.ni.firmware to org.grim.bench;
    exports org.grim.ni.guard to org.grim.bench;
    exports org.grim.ni.memory to org.grim.bench;
    exports org.grim.ni.model to org.grim.bench;
    exports org.grim.ni.scale to org.grim.bench;
    exports org.grim.ni.simulation to org.grim.bench;
    exports org.grim.ni.simulation.scenario to org.grim.bench;
    exports org.grim.ni.timing to org.grim.bench;
    exports org.grim.ni.trace to org.grim.bench;
    exports org.grim.ni.wire to org.grim.bench;

    provides org.grim.board.FirmwareProvider with org.grim.ni.service.SoftwareBoardProvider;
}
