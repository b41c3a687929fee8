// SPDX-License-Identifier: Apache-2.0
package org.grim.programs.campaign;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import kafka.Kafka;
import kafka.tools.StorageTool;

/**
 * Kafka's broker, which is its own controller: formats its storage, then runs with its defaults. Its arguments are an
 * empty directory and a port whose next one is free, too. It ends with its input.
 */
public final class KafkaBrokerMain
{
    private KafkaBrokerMain()
    {
    }

    public static void main(final String[] args) throws IOException
    {
        final Path directory = Path.of(args[0]);
        final int port = Integer.parseInt(args[1]);
        final String properties = directory.resolve("broker.properties").toString();
        Files.write(Path.of(properties), List.of("process.roles=broker,controller", "node.id=1",
            "controller.quorum.voters=1@127.0.0.1:" + (port + 1), "controller.listener.names=CONTROLLER",
            "listeners=PLAINTEXT://127.0.0.1:" + port + ",CONTROLLER://127.0.0.1:" + (port + 1),
            "log.dirs=" + directory.resolve("data"), "offsets.topic.replication.factor=1",
            "log.cleaner.dedupe.buffer.size=4194304", "num.network.threads=1", "num.io.threads=2"));
        if (StorageTool.execute(
            new String[] {"format", "-t", "MkU3OEVBNTcwNTJENDM2Qg", "-c", properties}, System.err) != 0)
        {
            throw new IOException("the storage could not be formatted");
        }
        final Thread end = new Thread(KafkaBrokerMain::endWithInput, "end");
        end.setDaemon(true);
        end.start();
        Kafka.main(new String[] {properties});
    }

    private static void endWithInput()
    {
        try
        {
            System.in.transferTo(OutputStream.nullOutputStream());
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        Runtime.getRuntime().halt(0);
    }
}
