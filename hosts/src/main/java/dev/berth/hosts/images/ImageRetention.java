package dev.berth.hosts.images;

import java.time.Duration;

/**
 * How long images stay that we pulled ourselves. Others are never looked at.
 *
 * @param age after how long without a job one is deleted
 * @param freeBytes how much of the engine's disk shall be free; where less is, the one that was not
 *     used for longest is deleted, and the next; 0 where the disk is not looked at
 */
public record ImageRetention(Duration age, long freeBytes) {}
