// SPDX-License-Identifier: Apache-2.0
package org.grim.example;

import java.time.Duration;
import java.util.Locale;
import java.util.Random;

import org.agrona.concurrent.UnsafeBuffer;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.group.Group;
import org.grim.group.Groups;
import org.grim.group.Reduction;

/** K-means by a group: each member has points of its own, and all find the same centers. */
public final class KMeans
{
    private static final int POINTS = 20_000;
    private static final double[][] CLOUDS = {{1, 1}, {5, 2}, {3, 6}};
    private static final int SUM_LENGTH = 3 * Double.BYTES;         // x, y and count of a center's points
    private static final Reduction SUM = Reduction.of(Reduction.Type.DOUBLE, Reduction.Operation.SUM);

    private final double[][] points = new double[POINTS][];
    private final double[][] centers = {{0, 0}, {6, 0}, {3, 3}};
    private final UnsafeBuffer own = new UnsafeBuffer(new byte[CLOUDS.length * SUM_LENGTH]);
    private final UnsafeBuffer all = new UnsafeBuffer(new byte[CLOUDS.length * SUM_LENGTH]);

    private KMeans(final int seed)
    {
        final Random random = new Random(seed);
        for (int i = 0; i < POINTS; i++)
        {
            final double[] cloud = CLOUDS[i % CLOUDS.length];
            points[i] = new double[] {cloud[0] + random.nextGaussian() / 3, cloud[1] + random.nextGaussian() / 3};
        }
    }

    /** Joins the group, and computes; the first member prints the centers. */
    public static void main(final String[] args)
    {
        final int memberCount = Integer.parseInt(System.getenv("GRIM_RUN_SIZE"));
        try (Grim grim = Grim.enable(GrimConfig.load()))
        {
            grim.start();
            final Group workers = Groups.of(grim).join("workers", Duration.ofSeconds(30));
            workers.awaitSize(memberCount, Duration.ofSeconds(30));
            final KMeans means = new KMeans(workers.rank());
            final Group.Request request = workers.newRequest();
            int rounds = 1;
            while (means.round(workers, request))
            {
                rounds++;
            }
            if (workers.rank() == 0)
            {
                System.out.println("rounds: " + rounds + ", points: " + memberCount * POINTS);
                for (final double[] center : means.centers)
                {
                    System.out.printf(Locale.ROOT, "center: %.1f %.1f%n", center[0], center[1]);
                }
            }
            workers.barrier(request);
            request.await();
        }
    }

    /** Moves the centers to the middle of the points that are nearest to each. Returns whether they moved. */
    private boolean round(final Group workers, final Group.Request request)
    {
        own.setMemory(0, own.capacity(), (byte)0);
        for (final double[] point : points)
        {
            final int sum = nearest(point) * SUM_LENGTH;
            add(sum, point[0]);
            add(sum + Double.BYTES, point[1]);
            add(sum + 2 * Double.BYTES, 1);
        }
        workers.allReduce(own, 0, all, 0, all.capacity() / Double.BYTES, SUM, request);
        if (request.await() != Group.Status.DONE)
        {
            throw new IllegalStateException("the group has changed: " + request.status());
        }
        double moved = 0;
        for (int i = 0; i < centers.length; i++)
        {
            final double count = all.getDouble(i * SUM_LENGTH + 2 * Double.BYTES);
            final double x = all.getDouble(i * SUM_LENGTH) / count;
            final double y = all.getDouble(i * SUM_LENGTH + Double.BYTES) / count;
            moved += Math.abs(x - centers[i][0]) + Math.abs(y - centers[i][1]);
            centers[i] = new double[] {x, y};
        }
        return moved > 1e-6;
    }

    private void add(final int offset, final double value)
    {
        own.putDouble(offset, own.getDouble(offset) + value);
    }

    private int nearest(final double[] point)
    {
        int nearest = 0;
        for (int i = 1; i < centers.length; i++)
        {
            nearest = distance(point, centers[i]) < distance(point, centers[nearest]) ? i : nearest;
        }
        return nearest;
    }

    private static double distance(final double[] point, final double[] center)
    {
        return Math.hypot(point[0] - center[0], point[1] - center[1]);
    }
}
