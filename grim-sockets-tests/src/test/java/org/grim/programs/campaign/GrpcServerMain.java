// SPDX-License-Identifier: Apache-2.0
package org.grim.programs.campaign;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;

import org.grim.programs.ServerPort;

import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;

/** gRPC over Netty: answers each request with its bytes. */
public final class GrpcServerMain
{
    static final int LENGTH_MAX = 1 << 24;
    static final MethodDescriptor<byte[], byte[]> ECHO = MethodDescriptor.<byte[], byte[]>newBuilder()
        .setType(MethodDescriptor.MethodType.UNARY).setFullMethodName("test/echo")
        .setRequestMarshaller(new Bytes()).setResponseMarshaller(new Bytes()).build();

    private GrpcServerMain()
    {
    }

    public static void main(final String[] args) throws Exception
    {
        final Server server = NettyServerBuilder.forAddress(new InetSocketAddress(args[0], 0))
            .channelType(NioServerSocketChannel.class).bossEventLoopGroup(new NioEventLoopGroup(1))
            .workerEventLoopGroup(new NioEventLoopGroup(2)).maxInboundMessageSize(LENGTH_MAX)
            .addService(ServerServiceDefinition.builder("test")
                .addMethod(ECHO, ServerCalls.asyncUnaryCall((request, responses) ->
                {
                    responses.onNext(request);
                    responses.onCompleted();
                })).build()).build().start();
        ServerPort.printAndAwaitEnd(server.getPort());
    }

    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]>
    {
        @Override
        public InputStream stream(final byte[] value)
        {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(final InputStream stream)
        {
            try
            {
                return stream.readAllBytes();
            }
            catch (final IOException ex)
            {
                throw new UncheckedIOException(ex);
            }
        }
    }
}
