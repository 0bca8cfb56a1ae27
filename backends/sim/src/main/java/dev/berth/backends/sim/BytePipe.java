package dev.berth.backends.sim;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Bytes that one side writes and the other reads, in the order written. */
final class BytePipe {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition grown = lock.newCondition();

  /** What was written and not read, guarded by the lock as all below. */
  private byte[] held = new byte[256];

  private int start;
  private int end;
  private boolean closed;

  void write(byte[] bytes, int offset, int length) throws IOException {
    lock.lock();
    try {
      if (closed) {
        throw new IOException("nobody takes more bytes here");
      }
      makeRoom(length);
      System.arraycopy(bytes, offset, held, end, length);
      end += length;
      grown.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void makeRoom(int length) {
    if (end + length <= held.length) {
      return;
    }
    byte[] larger = new byte[Math.max(held.length, 2 * (end - start + length))];
    System.arraycopy(held, start, larger, 0, end - start);
    end -= start;
    start = 0;
    held = larger;
  }

  /** Waits for bytes; -1 when all were read and no more come. */
  int read(byte[] bytes, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    lock.lock();
    try {
      while (start == end && !closed) {
        grown.await();
      }
      if (start == end) {
        return -1;
      }
      int count = Math.min(length, end - start);
      System.arraycopy(held, start, bytes, offset, count);
      start += count;
      return count;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("reading was interrupted", interrupted);
    } finally {
      lock.unlock();
    }
  }

  /** Says that no more bytes come; those that are there can still be read. */
  void close() {
    lock.lock();
    try {
      closed = true;
      grown.signalAll();
    } finally {
      lock.unlock();
    }
  }

  InputStream input() {
    return new InputStream() {
      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return BytePipe.this.read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
      }

      @Override
      public int read(byte[] bytes, int offset, int length) throws IOException {
        return BytePipe.this.read(bytes, offset, length);
      }
    };
  }
}
