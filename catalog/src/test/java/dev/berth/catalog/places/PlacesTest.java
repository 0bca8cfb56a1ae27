package dev.berth.catalog.places;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.catalog.places.Locations.Place;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PlacesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          aws    | use1-az1              | us-east-1        | use1-az1
          aws    | usw2-lax1-az2         | us-west-2        | usw2-lax1-az2
          aws    | use1-atl2-az1         | us-east-1        | use1-atl2-az1
          aws    | apne1-az4             | ap-northeast-1   | apne1-az4
          aws    | apse3-az1             | ap-southeast-3   | apse3-az1
          aws    | cac1-az1              | ca-central-1     | cac1-az1
          aws    | eun1-az1              | eu-north-1       | eun1-az1
          aws    | mec1-az3              | me-central-1     | mec1-az3
          aws    | afs1-az1              | af-south-1       | afs1-az1
          aws    | usgw1-az1             | us-gov-west-1    | usgw1-az1
          aws    | us-east-1a            | us-east-1        | us-east-1a
          aws    | us-gov-west-1b        | us-gov-west-1    | us-gov-west-1b
          aws    | us-west-2-lax-1a      | us-west-2        | us-west-2-lax-1a
          aws    | us-east-1             | us-east-1        |
          gcp    | us-central1-a         | us-central1      | us-central1-a
          gcp    | northamerica-northeast1-b | northamerica-northeast1 | northamerica-northeast1-b
          gcp    | us-central1           | us-central1      |
          oci    | eu-amsterdam-1-AD-1   | eu-amsterdam-1   | eu-amsterdam-1-AD-1
          oci    | EU-FRANKFURT-1-AD-3   | eu-frankfurt-1   | EU-FRANKFURT-1-AD-3
          oci    | US-ASHBURN-AD-2       | us-ashburn-1     | US-ASHBURN-AD-2
          oci    | PHX-AD-1              | us-phoenix-1     | PHX-AD-1
          oci    | us-ashburn-1          | us-ashburn-1     |
          azure  | westus2               | westus2          |
          runpod | EU-RO-1               | EU-RO-1          |
          nebius | eu-north1             | eu-north1        |
          mithril | us-central2-a        | us-central2-a    |
          """)
  void aLocationIsARegionAndPerhapsAZone(
      String provider, String location, String region, @Nullable String zone) {
    assertThat(Locations.split(provider, location)).isEqualTo(new Place(region, zone));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          aws        | eu-central-1       | DE
          aws        | AP-EAST-1          | HK
          gcp        | europe-west4       | NL
          azure      | westeurope         | NL
          oci        | sa-vinhedo-1       | BR
          lambda     | europe-central-1   | DE
          lambdalabs | us-midwest-1       | US
          nebius     | eu-north1          | FI
          nebius     | uk-south1          | GB
          runpod     | EU-RO-1            | RO
          runpod     | EUR-IS-3           | IS
          runpod     | US-TX-3            | US
          runpod     | US-CA-1            | US
          runpod     | AP-IN-1            | IN
          runpod     | OC-AU-1            | AU
          runpod     | SEA-SG-1           | SG
          runpod     | CA-MTL-1           | CA
          runpod     | CZ                 | CZ
          verda      | FIN-01             | FI
          datacrunch | ICE-01             | IS
          vast       | 'Denmark, DK, EU'  | DK
          vast       | ', CA, NA'         | CA
          shadeform  | frankfurt-germany-7 | DE
          shadeform  | desmoines-usa-1    | US
          hyperstack | NORWAY-1           | NO
          scp        | KOREA-WEST-1-SCP-B001 | KR
          paperspace | East Coast (NY2)   | US
          scaleway   | fr-par             | FR
          """)
  void aRegionIsInACountry(String provider, String region, String country) {
    assertThat(Countries.of(provider, region)).contains(country);
  }

  @Test
  void whatIsNotKnownIsInNoCountry() {
    assertThat(Countries.of("hyperbolic", "default")).isEmpty();
    assertThat(Countries.of("aws", "")).isEmpty();
    assertThat(Countries.of("someone", "eu-north1")).isEmpty();
    assertThat(Countries.of("runpod", "XX-QQ-1")).isEmpty();
  }

  @Test
  void aProviderHasSeveralNames() {
    assertThat(Providers.same("Lambda")).containsExactlyInAnyOrder("lambda", "lambdalabs");
    assertThat(Providers.same("vastai")).containsExactlyInAnyOrder("vast", "vastai");
    assertThat(Providers.same("do")).containsExactlyInAnyOrder("do", "digitalocean");
    assertThat(Providers.same("datacrunch")).containsExactlyInAnyOrder("verda", "datacrunch");
    assertThat(Providers.same("aws")).containsExactly("aws");
  }
}
