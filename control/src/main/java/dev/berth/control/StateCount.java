package dev.berth.control;

/**
 * How many things of one kind are in one state.
 *
 * @param kind as the ledger calls it
 * @param backend where they are; empty for what is at no backend
 */
public record StateCount(String kind, String state, String backend, long count) {}
