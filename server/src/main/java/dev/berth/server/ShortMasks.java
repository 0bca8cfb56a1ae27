package dev.berth.server;

import dev.berth.model.Attempt;
import dev.berth.model.OutputMask;
import dev.berth.spi.JobRuntime;
import java.io.ByteArrayOutputStream;
import java.util.Collections;
import java.util.Set;

/**
 * Shows every masked secret as {@link OutputMask#SHOWN}, so that nobody sees how long it is. In
 * files and in copies a mask is as long as what it hides, because offsets are the cursor of every
 * reader; here a reader skips the rest of it. Asterisks of the job itself that are exactly as many
 * as a secret of the run has bytes become {@link OutputMask#SHOWN}, too.
 */
record ShortMasks(JobOutputs outputs, LogMasks masks) implements JobOutputs {
  /** Gives all that there is from an offset on, up to so many bytes. */
  interface Source {
    JobRuntime.Output read(long offset, int limit);
  }

  @Override
  public JobRuntime.Output read(Attempt attempt, JobRuntime.Stream stream, long offset, int limit) {
    return read(
        (from, most) -> outputs.read(attempt, stream, from, most),
        masks.of(attempt).lengths(),
        offset,
        limit);
  }

  @Override
  public boolean isFar(Attempt attempt) {
    return outputs.isFar(attempt);
  }

  /**
   * Reads output whose masks have these lengths. A mask belongs to the piece in which it begins.
   * What may be the beginning of one waits until its end was written, or nothing more will be.
   */
  static JobRuntime.Output read(Source source, Set<Integer> lengths, long offset, int limit) {
    if (lengths.isEmpty()) {
      return source.read(offset, limit);
    }
    int longest = Collections.max(lengths);
    // One byte more at each end shows whether asterisks there are more than a mask has.
    int before = (int) Math.min(offset, longest + 1L);
    JobRuntime.Output window = source.read(offset - before, before + limit + longest + 1);
    byte[] bytes = window.bytes();
    ByteArrayOutputStream shown = new ByteArrayOutputStream();
    int at = before;
    while (at < bytes.length && shown.size() < limit) {
      int left = limit - shown.size();
      int begin = at;
      int end = at;
      if (bytes[at] != '*') {
        while (end < bytes.length && end - at < left && bytes[end] != '*') {
          end++;
        }
        shown.write(bytes, at, end - at);
        at = end;
        continue;
      }
      while (begin > 0 && bytes[begin - 1] == '*') {
        begin--;
      }
      while (end < bytes.length && bytes[end] == '*') {
        end++;
      }
      if (end == bytes.length && !window.ended() && end - begin <= longest) {
        break;
      }
      if (lengths.contains(end - begin)) {
        int mask = begin == at ? OutputMask.SHOWN.length() : 0;
        if (mask > left && shown.size() > 0) {
          break;
        }
        shown.write(bytes, at, Math.min(mask, left));
        at = end;
      } else {
        shown.write(bytes, at, Math.min(end - at, left));
        at += Math.min(end - at, left);
      }
    }
    long next = bytes.length <= before ? offset : offset - before + at;
    return new JobRuntime.Output(shown.toByteArray(), next, window.ended() && at >= bytes.length);
  }
}
