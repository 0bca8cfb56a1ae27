package dev.berth.model.offers;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How people see prices and sizes. */
final class FormatTest {
  @ParameterizedTest
  @CsvSource({
    "0, free",
    "2.2, $2.20/h",
    "31.2, $31.20/h",
    "98.3178, $98.32/h",
    "0.5, $0.50/h",
    "0.0472, $0.0472/h",
    "0.125, $0.125/h",
    "0.00001, <$0.0001/h",
    "1, $1.00/h"
  })
  void aPriceHasCentsAndMoreOnlyWhereTheyMatter(double price, String text) {
    assertThat(PriceFormat.perHour(price)).isEqualTo(text);
  }

  @Test
  void dollarsAreWithoutTheHour() {
    assertThat(PriceFormat.dollars(0)).isEqualTo("$0.00");
    assertThat(PriceFormat.dollars(12.345)).isEqualTo("$12.35");
  }

  @ParameterizedTest
  @CsvSource({
    "512, 512MB",
    "1024, 1GB",
    "1536, 1.5GB",
    "24012, 23.4GB",
    "24575, 23.9GB",
    "24576, 24GB",
    "122880, 120GB",
    "123000, 120GB",
    "2097152, 2048GB"
  })
  void aSizeIsRoundedDown(long mib, String text) {
    assertThat(SizeFormat.ofMib(mib)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({"80, 80B", "1536, 1.5KB", "891604992, 850MB", "891892531, 850MB", "2147483648, 2GB"})
  void bytesGrowIntoTheSameUnits(long bytes, String text) {
    assertThat(SizeFormat.ofBytes(bytes)).isEqualTo(text);
  }
}
