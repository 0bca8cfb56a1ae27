package dev.berth.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class JvmToolTest {
  @Test
  void theLastLineOfAHistogramIsTheSum() throws IOException {
    String histogram =
        """
        4711:
         num     #instances         #bytes  class name (module)
        -------------------------------------------------------
           1:        123456        9876543  [B (java.base@25.0.3)
        Total        987654       73800000
        """;
    assertThat(JvmTool.totalMegabytes(histogram)).isEqualTo(73.8);
  }

  @Test
  void anotherAnswerIsAFailure() {
    assertThatThrownBy(() -> JvmTool.totalMegabytes("4711:\nUnknown command"))
        .isInstanceOf(IOException.class);
  }
}
