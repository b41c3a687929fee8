// SPDX-License-Identifier: Apache-2.0
package org.grim.programs.campaign;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.util.concurrent.TimeUnit;

import org.grim.programs.Answer;
import org.grim.programs.ListeningServer;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Unary calls of gRPC, one after the other: each line of input asks for as many ms of them. Its arguments are address
 * and port.
 */
public final class GrpcRateMain
{
    private static final int LENGTH = 100;

    private GrpcRateMain()
    {
    }

    public static void main(final String[] args) throws Exception
    {
        ListeningServer.await(args[0], args[1]);
        final ManagedChannel channel = NettyChannelBuilder.forAddress(args[0], Integer.parseInt(args[1]))
            .usePlaintext().channelType(NioSocketChannel.class).eventLoopGroup(new NioEventLoopGroup(1)).build();
        final byte[] request = Answer.bytes(LENGTH);
        try (BufferedReader input = new BufferedReader(new InputStreamReader(System.in, UTF_8));
            PrintStream output = new PrintStream(new FileOutputStream(FileDescriptor.out), true, UTF_8))
        {
            for (String line = input.readLine(); line != null; line = input.readLine())
            {
                output.println(rate(channel, request, TimeUnit.MILLISECONDS.toNanos(Long.parseLong(line))));
            }
        }
        Runtime.getRuntime().halt(0);
    }

    /** Calls per second. */
    private static long rate(final ManagedChannel channel, final byte[] request, final long durationNs)
    {
        final long startNs = System.nanoTime();
        long count = 0;
        while (System.nanoTime() - startNs < durationNs)
        {
            Answer.check(request,
                ClientCalls.blockingUnaryCall(channel, GrpcServerMain.ECHO, CallOptions.DEFAULT, request));
            count++;
        }
        return count * TimeUnit.SECONDS.toNanos(1) / (System.nanoTime() - startNs);
    }
}
