/**
 * The job directory: the files of an attempt, the root folder that holds them, what they tell of
 * the job's state and output, and the {@code runner} script that writes them. The rooms that run
 * jobs use it; backends use the words in which it describes jobs.
 */
@NullMarked
package dev.berth.hosts.jobdir;

import org.jspecify.annotations.NullMarked;
