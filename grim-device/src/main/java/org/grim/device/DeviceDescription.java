// SPDX-License-Identifier: Apache-2.0
package org.grim.device;

import java.util.Map;

/**
 * Part of the answer to {@code device.describe} that the driver knows. Any thread; immutable.
 *
 * @param name    of the device, for people.
 * @param version of the driver.
 * @param limits  of the device by name: texts, numbers, booleans and lists of these.
 */
public record DeviceDescription(String name, String version, Map<String, Object> limits)
{
    /**
     * Copies the limits.
     *
     * @param name    of the device.
     * @param version of the driver.
     * @param limits  of the device.
     */
    public DeviceDescription
    {
        limits = Map.copyOf(limits);
    }
}
