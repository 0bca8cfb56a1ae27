package dev.berth.testkit.awkward.containers;

import dev.berth.model.Container;
import dev.berth.model.JobSpec;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a container runs in front of a job, because the cloud keeps neither bytes nor exit codes. It
 * writes what happens as lines: {@code begun TIME}, {@code out BASE64} and {@code err BASE64} for
 * pieces of output, {@code ended CODE CAUSE TIME} as the last one. It looks for requests to end in
 * the note, whose second word is how many seconds the job has left; and it lingers after the end,
 * so that all this can be read until the container is deleted, but not for ever, because nobody may
 * be there to delete it.
 */
final class JobWrapper {
  private static final Duration LINGER = Duration.ofDays(1);
  private static final Duration USUAL_GRACE = Duration.ofMinutes(5);

  /** Arguments: shell, commands, seconds to run or nothing, seconds of grace then, linger. */
  private static final String SCRIPT =
      """
      exec 2>/dev/null
      clock() { date -u +%Y-%m-%dT%H:%M:%SZ; }
      d=$(mktemp -d) by=EXITED asked= last= out=0 err=0
      pump() { # a stream, and how much of it is written; sets size
        size=$(wc -c <"$d/$1")
        [ "$size" -le "$2" ] || tail -c +$(($2 + 1)) "$d/$1" | head -c $((size - $2)) | base64 | sed "s/^/$1 /"
      }
      both() { pump out $out; out=$size; pump err $err; err=$size; }
      ask() { # a cause, and seconds of grace, of which the shortest counts
        [ $by != EXITED ] || by=$1
        [ -n "$last" ] || [ "$2" = 0 ] || kill -s TERM -- -"$pid"
        [ -n "$last" ] && [ "$last" -lt $((now + $2)) ] || last=$((now + $2))
        [ "$2" != 0 ] || last=0
      }
      watch() {
        until [ -s "$d/pid" ] || [ -s "$d/code" ]; do sleep 0.02; done
        pid=$(cat "$d/pid") begun=$(date +%s)
        echo "begun $(clock)"
        until [ -s "$d/code" ]; do
          both
          now=$(date +%s)
          read -r _ grace <"$CONTAINER_NOTE"
          [ "$grace" = "$asked" ] || ask STOPPED "$grace"
          asked=$grace
          [ -z "$1" ] || [ -n "$last" ] || [ $now -le $((begun + $1)) ] || ask MAX_DURATION_EXCEEDED "$2"
          [ -z "$last" ] || [ $now -le "$last" ] || kill -s KILL -- -"$pid"
          sleep 0.05
        done
        kill -s KILL -- -"$pid"
        both
        echo "ended $(cat "$d/code") $by $(clock)"
      }
      read -r _ asked <"$CONTAINER_NOTE"
      if [ -n "$asked" ]; then
        echo "begun $(clock)" && echo "ended - STOPPED $(clock)"
      else
        : >"$d/out" >"$d/err"
        watch "$3" "$4" &
        setsid sh -c 'echo $$ >"$0/pid"; exec "$1" -c "$2"' "$d" "$1" "$2" >"$d/out" 2>"$d/err"
        echo $? >"$d/code"
        wait
      fi
      rm -rf "$d"
      exec sleep "$5"
      """;

  private JobWrapper() {}

  static List<String> command(JobSpec spec, Container container) {
    Duration most = spec.maxDuration();
    return List.of(
        "sh",
        "-c",
        SCRIPT,
        "job-wrapper",
        Objects.requireNonNullElse(spec.shell(), "sh"),
        commands(spec.commands(), container.entrypoint()),
        most == null ? "" : Long.toString(seconds(most)),
        Long.toString(seconds(Objects.requireNonNullElse(spec.stopDuration(), USUAL_GRACE))),
        Long.toString(seconds(LINGER)));
  }

  /** An entrypoint is a shell line in front of the commands, which then are its arguments. */
  private static String commands(List<String> commands, @Nullable String entrypoint) {
    return entrypoint == null
        ? String.join("\n", commands)
        : commands.stream()
            .map(word -> " '" + word.replace("'", "'\\''") + "'")
            .collect(Collectors.joining("", entrypoint, ""));
  }

  /** Whole seconds, not less than a time. */
  static long seconds(Duration time) {
    return time.plusSeconds(1).minusNanos(1).toSeconds();
  }
}
