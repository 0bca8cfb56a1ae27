package dev.berth.grammar;

/** A place in a file, counted from 1. */
public record Position(int line, int column) {
  public static final Position START = new Position(1, 1);
}
