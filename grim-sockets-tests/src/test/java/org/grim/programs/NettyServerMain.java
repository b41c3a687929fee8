// SPDX-License-Identifier: Apache-2.0
package org.grim.programs;

import java.net.InetSocketAddress;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;

/** Netty's HTTP server: answers as {@link Answer} says. */
public final class NettyServerMain
{
    private static final int LENGTH_MAX = 1 << 24;

    private NettyServerMain()
    {
    }

    public static void main(final String[] args) throws Exception
    {
        final InetSocketAddress address = (InetSocketAddress)new ServerBootstrap().group(new NioEventLoopGroup(1))
            .channel(NioServerSocketChannel.class).childHandler(new ChannelInitializer<SocketChannel>()
            {
                @Override
                protected void initChannel(final SocketChannel channel)
                {
                    channel.pipeline().addLast(
                        new HttpServerCodec(), new HttpObjectAggregator(LENGTH_MAX), new Hello());
                }
            }).bind(args[0], 0).sync().channel().localAddress();
        ServerPort.printAndAwaitEnd(address.getPort());
    }

    private static final class Hello extends SimpleChannelInboundHandler<FullHttpRequest>
    {
        @Override
        protected void channelRead0(final ChannelHandlerContext context, final FullHttpRequest request)
        {
            final FullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK,
                HttpMethod.POST.equals(request.method()) ? request.content().retain() :
                Unpooled.wrappedBuffer(Answer.to(request.uri())));
            response.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, response.content().readableBytes());
            context.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
        }
    }
}
