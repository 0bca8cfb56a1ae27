/**
 * Running jobs on machines we can reach.
 *
 * <p>A job's result is files in its {@link dev.berth.hosts.JobDirectory job directory}, written by
 * the {@code runner} script that supervises it. The script needs nothing of whoever started it, so
 * a server may be killed, and another one that opens the same root sees and controls the same jobs:
 * {@link dev.berth.hosts.ProcessRuntime}.
 */
@NullMarked
package dev.berth.hosts;

import org.jspecify.annotations.NullMarked;
