// SPDX-License-Identifier: Apache-2.0
/** Devices: endpoints that drivers serve; a store of files, a bridge to programs outside, and video. */
module org.grim.device
{
    exports org.grim.device;
    exports org.grim.device.storage;
    exports org.grim.device.video;

    requires java.desktop;
    requires jdk.httpserver;
    requires transitive org.grim.core;
    requires org.agrona;
    requires org.slf4j;
    requires typesafe.config;

    uses org.grim.device.DeviceDriver;

    provides org.grim.device.DeviceDriver with
        org.grim.device.bridge.BridgeDriver,
        org.grim.device.storage.StorageDriver,
        org.grim.device.video.CaptureDriver,
        org.grim.device.video.DisplayDriver;
}
