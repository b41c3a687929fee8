// SPDX-License-Identifier: Apache-2.0
package org.grim.programs.campaign;

import java.util.List;
import java.util.concurrent.Future;
import java.util.stream.Stream;

import org.grim.programs.Answer;
import org.grim.programs.ListeningServer;
import org.grim.programs.ReceivedBytes;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;

/** gRPC over Netty: short requests one after the other, long ones at a time. */
public final class GrpcClientMain
{
    private static final int REQUEST_COUNT = 300;
    private static final int REQUEST_LENGTH = 1_000;
    private static final int SIMULTANEOUS_COUNT = 8;
    private static final int LONG_LENGTH = 3_000_000;

    private GrpcClientMain()
    {
    }

    public static void main(final String[] args) throws Exception
    {
        ListeningServer.await(args[0], args[1]);
        final ManagedChannel channel = NettyChannelBuilder.forAddress(args[0], Integer.parseInt(args[1]))
            .usePlaintext().channelType(NioSocketChannel.class).eventLoopGroup(new NioEventLoopGroup(1))
            .maxInboundMessageSize(GrpcServerMain.LENGTH_MAX).build();
        for (int i = 0; i < REQUEST_COUNT; i++)
        {
            final byte[] request = Answer.bytes(REQUEST_LENGTH + i);
            Answer.check(request,
                ClientCalls.blockingUnaryCall(channel, GrpcServerMain.ECHO, CallOptions.DEFAULT, request));
        }
        final byte[] body = Answer.bytes(LONG_LENGTH);
        final List<Future<byte[]>> answers = Stream.<Future<byte[]>>generate(() -> ClientCalls.futureUnaryCall(
            channel.newCall(GrpcServerMain.ECHO, CallOptions.DEFAULT), body)).limit(SIMULTANEOUS_COUNT).toList();
        for (final Future<byte[]> answer : answers)
        {
            Answer.check(body, answer.get());
        }
        ReceivedBytes.printAndAwaitEnd();
    }
}
