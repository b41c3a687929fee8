// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.io.IOException;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.junit.jupiter.params.provider.Arguments.arguments;

/** Explores every fuzz test of this module for some seconds; those whose inputs take longest get the most. */
@Tag("process")
@Tag("slow")
class FuzzIT
{
    @ParameterizedTest(name = "{0}")
    @MethodSource("targets")
    void shouldStandAnyBytes(final String target, final int seconds)
        throws IOException, InterruptedException, ClassNotFoundException
    {
        FuzzCampaign.run(Class.forName("org.grim." + target), seconds);
    }

    private static Stream<Arguments> targets()
    {
        return Stream.of(
            arguments("wire.WireFuzzTest", 1),
            arguments("queue.InboxFuzzTest", 1),
            arguments("queue.ExclusiveReceiverFuzzTest", 3),
            arguments("queue.SharedReceiverFuzzTest", 3),
            arguments("queue.SenderFuzzTest", 3),
            arguments("memory.MemoryDirectoryFuzzTest", 3),
            arguments("memory.PeerSpaceFuzzTest", 2),
            arguments("buffer.MappedFileFuzzTest", 1),
            arguments("counters.CountersFuzzTest", 1),
            arguments("cluster.DirectoryFuzzTest", 4),
            arguments("cluster.HostDirectoryFuzzTest", 4),
            arguments("remote.RemoteLinkFuzzTest", 4),
            arguments("remote.OperationRecordFuzzTest", 2),
            arguments("node.HandlerExchangeFuzzTest", 10),
            arguments("LargeArrivalsFuzzTest", 14));
    }
}
