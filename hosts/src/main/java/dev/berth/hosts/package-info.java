/**
 * Running jobs on machines that we can reach. Here is only what all rooms say when something fails,
 * and how backends pass it on.
 *
 * <p>A job's result is files in its job directory ({@code jobdir}), written by the {@code runner}
 * script that supervises it. The script needs nothing of whoever started it, so a server may be
 * killed, and another one that opens the same root sees and controls the same jobs: as processes
 * ({@code process}) or in containers ({@code container}).
 */
@NullMarked
package dev.berth.hosts;

import org.jspecify.annotations.NullMarked;
