package dev.berth.hosts.jobdir;

/**
 * A piece of a job's output.
 *
 * @param bytes what the job wrote, unchanged; empty when there is nothing new. The array is the
 *     caller's
 * @param nextOffset where the next piece begins
 * @param ended whether the job has ended and no byte will follow
 */
@SuppressWarnings(
    "ArrayRecordComponent") // compared by nobody, and copying megabytes of log would cost
public record OutputChunk(byte[] bytes, long nextOffset, boolean ended) {}
