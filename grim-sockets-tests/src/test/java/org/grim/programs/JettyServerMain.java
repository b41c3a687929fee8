// SPDX-License-Identifier: Apache-2.0
package org.grim.programs;

import java.nio.ByteBuffer;

import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Promise;

/** Jetty: answers as {@link Answer} says. Waits for begun requests when it gets a signal to end. */
public final class JettyServerMain
{
    private static final long STOP_TIMEOUT_MS = 30_000;

    private JettyServerMain()
    {
    }

    public static void main(final String[] args) throws Exception
    {
        final Server server = new Server();
        final ServerConnector connector = new ServerConnector(server);
        connector.setHost(args[0]);
        server.addConnector(connector);
        server.setHandler(new GracefulHandler(new Handler.Abstract()
        {
            @Override
            public boolean handle(final Request request, final Response response, final Callback callback)
            {
                if ("POST".equals(request.getMethod()))
                {
                    Content.Source.asByteBuffer(request,
                        Promise.from(body -> response.write(true, body, callback), callback::failed));
                }
                else
                {
                    response.write(true, ByteBuffer.wrap(Answer.to(request.getHttpURI().getPath())), callback);
                }
                return true;
            }
        }));
        server.setStopTimeout(STOP_TIMEOUT_MS);
        server.setStopAtShutdown(true);
        server.start();
        ServerPort.printAndAwaitEnd(connector.getLocalPort());
    }
}
