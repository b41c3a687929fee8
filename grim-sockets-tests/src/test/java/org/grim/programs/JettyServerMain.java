// SPDX-License-Identifier: Apache-2.0
package org.grim.programs;

import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;

/** Jetty: answers each request with its path. */
public final class JettyServerMain
{
    private JettyServerMain()
    {
    }

    public static void main(final String[] args) throws Exception
    {
        final Server server = new Server();
        final ServerConnector connector = new ServerConnector(server);
        connector.setHost(args[0]);
        server.addConnector(connector);
        server.setHandler(new Handler.Abstract()
        {
            @Override
            public boolean handle(final Request request, final Response response, final Callback callback)
            {
                Content.Sink.write(response, true, "hello " + request.getHttpURI().getPath(), callback);
                return true;
            }
        });
        server.start();
        ServerPort.printAndAwaitEnd(connector.getLocalPort());
    }
}
