// SPDX-License-Identifier: Apache-2.0
/** GRIM's network interface: board, control program, fabric between boards, and the simulator that proves them. */
module org.grim.ni
{
    requires transitive org.agrona;
    requires transitive org.grim.core;

    exports org.grim.ni.board;
    exports org.grim.ni.guard;
    exports org.grim.ni.delivery;
    exports org.grim.ni.memory;
}
