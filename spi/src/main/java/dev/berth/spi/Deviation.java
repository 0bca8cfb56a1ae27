package dev.berth.spi;

/**
 * A check of the conformance kit that a backend is known to fail. It holds only while the check
 * fails with exactly this message: a backend that fails in another way, or does not fail any more,
 * must say so.
 *
 * @param check its name
 * @param message how it fails
 * @param reason why it is left so, for those who read the report
 */
public record Deviation(String check, String message, String reason) {}
