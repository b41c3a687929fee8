// SPDX-License-Identifier: Apache-2.0
/** Devices: endpoints that drivers serve; a store, a bridge, video and accelerators; streams over these. */
module org.grim.device
{
    exports org.grim.device;
    exports org.grim.device.accelerator;
    exports org.grim.device.storage;
    exports org.grim.device.video;
    exports org.grim.stream;

    requires java.desktop;
    requires transitive org.grim.core;
    requires static org.jnrproject.ffi;
    requires org.agrona;
    requires org.slf4j;
    requires typesafe.config;

    opens org.grim.device.opencl;       // To JNR's class loader, whose module has no name, for one interface.

    uses org.grim.device.DeviceDriver;
    uses org.grim.device.accelerator.Kernel;

    provides org.grim.device.DeviceDriver with
        org.grim.device.accelerator.AcceleratorDriver,
        org.grim.device.bridge.BridgeDriver,
        org.grim.device.storage.StorageDriver,
        org.grim.device.video.CaptureDriver,
        org.grim.device.video.DisplayDriver;
}
