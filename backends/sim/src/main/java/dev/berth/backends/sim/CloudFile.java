package dev.berth.backends.sim;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;

/**
 * A file with a world as it once was, and a line for each change since then. A change costs what
 * changed, however much the world holds; when the changes are longer than the world, it is written
 * anew. Whoever uses it holds the lock of the file.
 */
final class CloudFile {
  /** The number of the world at the beginning stands before it; each new one has the next. */
  private static final int NUMBER_DIGITS = 19;

  /** Changes up to so many bytes stay, however small the world is. */
  private static final long FEW_BYTES = 1L << 18;

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final Path file;
  private final Path nextFile;

  CloudFile(Path file) {
    this.file = file;
    this.nextFile = file.resolveSibling(file.getFileName() + ".next");
  }

  /**
   * How far a file was read or written.
   *
   * @param number of the world at its beginning
   * @param begin where the changes begin
   * @param end where the next change comes
   */
  record Position(long number, long begin, long end) {
    static final Position NOWHERE = new Position(0, 0, 0);

    private boolean isLong() {
      return end - begin > Math.max(FEW_BYTES, begin);
    }
  }

  boolean exists() {
    return Files.exists(file);
  }

  /** A world as the file says it, and how far that was read. */
  record Read(World world, Position position) {}

  /** Reads the world whole. */
  Read read() throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    long number = number(Arrays.copyOf(bytes, Math.min(bytes.length, NUMBER_DIGITS)));
    List<byte[]> lines = lines(bytes, NUMBER_DIGITS);
    if (lines.isEmpty()) {
      throw new IOException("it ends too early");
    }
    World world = World.of(JSON.readValue(lines.getFirst(), World.Saved.class));
    long begin = NUMBER_DIGITS + lines.getFirst().length + 1L;
    long end = begin;
    for (byte[] line : lines.subList(1, lines.size())) {
      world.apply(JSON.readValue(line, World.Change.class));
      end += line.length + 1L;
    }
    return new Read(world, new Position(number, begin, end));
  }

  /** Whether the file begins as it did; where it was written anew it must be read whole. */
  boolean isStillAt(Position position) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      ByteBuffer head = ByteBuffer.allocate(NUMBER_DIGITS);
      while (head.hasRemaining() && channel.read(head) >= 0) {
        // Reads on.
      }
      return number(Arrays.copyOf(head.array(), head.position())) == position.number();
    }
  }

  /** Applies what others wrote after a position; returns how far that was read. */
  Position readOn(World world, Position from) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long size = channel.size();
      if (size == from.end()) {
        return from;
      }
      ByteBuffer rest = ByteBuffer.allocate(Math.toIntExact(size - from.end()));
      while (rest.hasRemaining() && channel.read(rest, from.end() + rest.position()) >= 0) {
        // Reads on.
      }
      long end = from.end();
      for (byte[] line : lines(rest.array(), 0)) {
        world.apply(JSON.readValue(line, World.Change.class));
        end += line.length + 1L;
      }
      return new Position(from.number(), from.begin(), end);
    }
  }

  private static long number(byte[] head) throws IOException {
    try {
      return Long.parseLong(new String(head, StandardCharsets.US_ASCII));
    } catch (NumberFormatException e) {
      throw new IOException("it does not begin with the number of its state", e);
    }
  }

  /** The lines that are whole; one that somebody died over was never answered for. */
  private static List<byte[]> lines(byte[] bytes, int from) {
    List<byte[]> lines = new ArrayList<>();
    int begin = Math.min(from, bytes.length);
    for (int i = begin; i < bytes.length; i++) {
      if (bytes[i] == '\n') {
        lines.add(Arrays.copyOfRange(bytes, begin, i));
        begin = i + 1;
      }
    }
    return lines;
  }

  /** Writes a change behind a position, or the world anew where there are too many of them. */
  Position write(World world, World.Change change, Position at) throws IOException {
    if (at.equals(Position.NOWHERE) || at.isLong()) {
      return writeWhole(world, at.number() + 1);
    }
    byte[] line = line(change);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(at.end());
      write(channel, line, at.end());
      channel.force(false);
    }
    return new Position(at.number(), at.begin(), at.end() + line.length);
  }

  private Position writeWhole(World world, long number) throws IOException {
    byte[] head =
        ("%0" + NUMBER_DIGITS + "d").formatted(number).getBytes(StandardCharsets.US_ASCII);
    byte[] body = line(world.saved());
    try (FileChannel channel =
        FileChannel.open(
            nextFile,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      write(channel, head, 0);
      write(channel, body, head.length);
      channel.force(true);
    }
    Files.move(nextFile, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    try (FileChannel names = FileChannel.open(file.getParent(), StandardOpenOption.READ)) {
      names.force(true);
    }
    long end = (long) head.length + body.length;
    return new Position(number, end, end);
  }

  /** JSON as it is written here has no line breaks of its own. */
  private static byte[] line(Object value) {
    byte[] json = JSON.writeValueAsBytes(value);
    byte[] line = Arrays.copyOf(json, json.length + 1);
    line[json.length] = '\n';
    return line;
  }

  private static void write(FileChannel channel, byte[] bytes, long position) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    while (buffer.hasRemaining()) {
      channel.write(buffer, position + buffer.position());
    }
  }
}
