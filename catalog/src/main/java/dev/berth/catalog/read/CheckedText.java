package dev.berth.catalog.read;

import dev.berth.catalog.CatalogException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * The bytes of a CSV file, looked at before anything is made of them: that they are text in UTF-8,
 * that no row and not the whole is too long, and that every quote is closed. Each fault is told
 * with its line, which a decoder that reads ahead could not.
 */
final class CheckedText extends FilterInputStream {
  private enum State {
    FIELD_START,
    PLAIN,
    QUOTED,
    QUOTE_IN_QUOTED
  }

  private final String file;
  private final ReadLimits limits;

  private State state = State.FIELD_START;
  private long line = 1;
  private long quoteOpenedAt = 1;
  private long bytes;
  private long rowBytes;
  private boolean afterReturn;
  // The bytes that a character still needs, and between which bounds the next one is.
  private int pending;
  private int low;
  private int high;

  CheckedText(String file, InputStream in, ReadLimits limits) {
    super(in);
    this.file = file;
    this.limits = limits;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    int read = read(one, 0, 1);
    return read < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    int read = in.read(target, offset, length);
    if (read < 0) {
      end();
      return read;
    }
    for (int i = offset; i < offset + read; i++) {
      check(target[i] & 0xFF);
    }
    return read;
  }

  @Override
  public boolean markSupported() {
    return false;
  }

  private void end() {
    if (pending > 0) {
      throw notUtf8();
    }
    if (state == State.QUOTED) {
      throw CatalogException.at(
          file, quoteOpenedAt, "A quote is opened here and never closed. Is the file cut off?");
    }
  }

  private void check(int value) {
    if (value == 0) {
      throw CatalogException.at(file, line, "The file has a NUL byte, so it is no CSV file.");
    }
    if (++bytes > limits.fileBytes()) {
      throw CatalogException.at(
          file, line, "The file is larger than " + limits.fileBytes() + " bytes.");
    }
    utf8(value);
    if (++rowBytes > limits.rowBytes()) {
      throw CatalogException.at(
          file,
          state == State.QUOTED ? quoteOpenedAt : line,
          "The row is longer than " + limits.rowBytes() + " bytes. Is a quote not closed?");
    }
    boolean ends = value == '\n' || value == '\r';
    follow(value, ends);
    if (ends) {
      if (!(value == '\n' && afterReturn)) {
        line++;
      }
      if (state != State.QUOTED) {
        rowBytes = 0;
      }
    }
    afterReturn = value == '\r';
  }

  private void follow(int value, boolean ends) {
    state =
        switch (state) {
          case FIELD_START -> {
            if (value == '"') {
              quoteOpenedAt = line;
              yield State.QUOTED;
            }
            yield value == ',' || ends ? State.FIELD_START : State.PLAIN;
          }
          case PLAIN -> value == ',' || ends ? State.FIELD_START : State.PLAIN;
          case QUOTED -> value == '"' ? State.QUOTE_IN_QUOTED : State.QUOTED;
          case QUOTE_IN_QUOTED -> {
            if (value == '"') {
              yield State.QUOTED;
            }
            if (value != ',' && !ends) {
              // Where this row ends, and all after it, would be a guess.
              throw CatalogException.at(
                  file,
                  line,
                  "Text follows a closing quote; a quote within text is written twice.");
            }
            yield State.FIELD_START;
          }
        };
  }

  /** Follows the table of well-formed sequences in the Unicode standard. */
  private void utf8(int value) {
    if (pending > 0) {
      if (value < low || value > high) {
        throw notUtf8();
      }
      low = 0x80;
      high = 0xBF;
      pending--;
    } else if (value >= 0x80) {
      low = value == 0xE0 ? 0xA0 : value == 0xF0 ? 0x90 : 0x80;
      high = value == 0xED ? 0x9F : value == 0xF4 ? 0x8F : 0xBF;
      if (value >= 0xC2 && value <= 0xDF) {
        pending = 1;
      } else if (value >= 0xE0 && value <= 0xEF) {
        pending = 2;
      } else if (value >= 0xF0 && value <= 0xF4) {
        pending = 3;
      } else {
        throw notUtf8();
      }
    }
  }

  private CatalogException notUtf8() {
    return CatalogException.at(file, line, "The file is not text in UTF-8.");
  }
}
