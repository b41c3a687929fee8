// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.firmware;

import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.grim.ni.firmware.FirmwareConfig.Values;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

final class FirmwareConfigTest
{
    @Test
    void shouldKeepEveryValueThatIsNotChanged() throws ReflectiveOperationException
    {
        final FirmwareConfig changed = FirmwareConfig.DEFAULT.with(FirmwareConfigTest::changeAll);

        for (final RecordComponent component : FirmwareConfig.class.getRecordComponents())
        {
            final Object expected = Values.class.getField(component.getName()).get(values(changed));
            assertEquals(expected, component.getAccessor().invoke(changed), component.getName());
        }
        assertEquals(changed, changed.with(values -> { }));
        assertEquals(new FirmwareConfig(7, 60, 3, 64, 1, 2, 3, 4, 5, 6, 7, 8, 9, false, false, true, 32, 10), changed);
        assertEquals(new FirmwareConfig(8, 127, 256, 128, 16_384, 5_000, 1_000_000, 50_000, 10_000_000, 10, 100_000_000,
            0, 10_000_000, true, true, false, 1024, 5_000_000), FirmwareConfig.DEFAULT);
    }

    @Test
    void shouldRefuseValuesBesideTheirLimits()
    {
        refuse("sequenceBits=0 is outside 1 to 8", values -> values.sequenceBits = 0);
        refuse("sequenceBits=9 is outside 1 to 8", values -> values.sequenceBits = 9);
        refuse("window=0 is outside 1 to 2147483647", values -> values.window = 0);
        refuse("tokenCount=0 is outside 1 to 256", values -> values.tokenCount = 0);
        refuse("tokenCount=257 is outside 1 to 256", values -> values.tokenCount = 257);
        refuse("channelQuota=0 is outside 1 to 1073741824", values -> values.channelQuota = 0);
        refuse("channelQuota=3 is not a power of two", values -> values.channelQuota = 3);
        refuse("quantumLength=0 is outside 1 to 2147483647", values -> values.quantumLength = 0);
        refuse("retryDelayNsMin=0 is outside 1 to 9223372036854775807", values -> values.retryDelayNsMin = 0);
        refuse("retryDelayNsMax=4999 is outside 5000 to 9223372036854775807",
            values -> values.retryDelayNsMax = 4_999);
        refuse("timeOutNsMin=0 is outside 1 to 9223372036854775807", values -> values.timeOutNsMin = 0);
        refuse("timeOutNsMax=49999 is outside 50000 to 9223372036854775807", values -> values.timeOutNsMax = 49_999);
        refuse("timeOutCountMax=0 is outside 1 to 2147483647", values -> values.timeOutCountMax = 0);
        refuse("goneNs=-1 is outside 0 to 9223372036854775807", values -> values.goneNs = -1);
        refuse("questionNsMax=9999999 is outside 10000000 to 9223372036854775807",
            values -> values.questionNsMax = 9_999_999);
        refuse("injectionTimeOutNs=0 is outside 1 to 9223372036854775807", values -> values.injectionTimeOutNs = 0);
        refuse("translationPageCount=16 is outside 32 to 1048576", values -> values.translationPageCount = 16);
        refuse("translationPageCount=2097152 is outside 32 to 1048576",
            values -> values.translationPageCount = 1 << 21);
        refuse("translationPageCount=33 is not a power of two", values -> values.translationPageCount = 33);
        refuse("translationTimeOutNs=0 is outside 1 to 9223372036854775807", values -> values.translationTimeOutNs = 0);
    }

    @Test
    void shouldCheckValuesThatChangeTogetherWhenAllAreSet()
    {
        final FirmwareConfig config = FirmwareConfig.DEFAULT.with(values ->
        {
            values.timeOutNsMin = 20_000_000;
            values.timeOutNsMax = 30_000_000;
            values.questionNsMax = 30_000_000;
        });

        assertEquals(List.of(20_000_000L, 30_000_000L, 30_000_000L),
            Stream.of(config.timeOutNsMin(), config.timeOutNsMax(), config.questionNsMax()).toList());
    }

    private static void changeAll(final Values values)
    {
        values.sequenceBits = 7;
        values.window = 60;
        values.tokenCount = 3;
        values.channelQuota = 64;
        values.quantumLength = 1;
        values.retryDelayNsMin = 2;
        values.retryDelayNsMax = 3;
        values.timeOutNsMin = 4;
        values.timeOutNsMax = 5;
        values.timeOutCountMax = 6;
        values.goneNs = 7;
        values.questionNsMax = 8;
        values.injectionTimeOutNs = 9;
        values.isCutThrough = false;
        values.hasReplyChannel = false;
        values.hasMulticastChannel = true;
        values.translationPageCount = 32;
        values.translationTimeOutNs = 10;
    }

    private static Values values(final FirmwareConfig config)
    {
        final Values[] kept = new Values[1];
        config.with(values -> kept[0] = values);
        return kept[0];
    }

    private static void refuse(final String text, final Consumer<Values> change)
    {
        assertEquals(text,
            assertThrows(IllegalArgumentException.class, () -> FirmwareConfig.DEFAULT.with(change)).getMessage());
    }
}
