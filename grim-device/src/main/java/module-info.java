// SPDX-License-Identifier: Apache-2.0
/** Devices: endpoints that drivers serve. */
module org.grim.device
{
    exports org.grim.device;

    requires transitive org.grim.core;
    requires org.agrona;
    requires org.slf4j;
    requires typesafe.config;

    uses org.grim.device.DeviceDriver;
}
