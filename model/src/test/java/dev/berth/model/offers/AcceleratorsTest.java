package dev.berth.model.offers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.config.AcceleratorVendor;
import dev.berth.model.config.ComputeCapability;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class AcceleratorsTest {
  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          A100,A100
          a100,A100
          A100-80GB,A100
          A100-80GB-SXM,A100
          A100-80G-PCIe-NVLink,A100
          NVIDIA A100-SXM4-80GB,A100
          H100-80GB,H100
          NVIDIA-H100-80GB-HBM3,H100
          NVIDIA H100 PCIe,H100
          H100-MEGA,H100
          H100-NVLINK,H100
          H100-SXM,H100
          H100-NVL,H100NVL
          H200-NVL,H200NVL
          H200 SXM,H200
          Tesla P100-PCIE-16GB,P100
          V100-32GB,V100
          T4g,T4G
          RTX 3070,RTX3070
          NVIDIA GeForce RTX 3070,RTX3070
          GeForce RTX 2080 Ti,RTX2080Ti
          RTX-A6000,A6000
          RTXA6000,A6000
          RTX A6000,A6000
          RTX6000,RTX6000
          Quadro RTX 6000,RTX6000
          RTX-6000-Ada,RTX6000Ada
          RTX6000-Ada,RTX6000Ada
          RTX 6000 Ada Generation,RTX6000Ada
          RTX5880-Ada,RTX5880Ada
          RTX2000-Ada,RTX2000Ada
          RTXPRO6000,RTXPRO6000
          RTXPRO6000-WK,RTXPRO6000
          RTXPRO6000WS,RTXPRO6000
          RTXPro6000,RTXPRO6000
          RTX-PRO-6000,RTXPRO6000
          RTX-PRO-6000-CC,RTXPRO6000
          RTX PRO 6000 96GB,RTXPRO6000
          RTX PRO Server 6000,RTXPRO6000
          PRO-6000-MIG-24GB,RTXPRO6000
          PRO-6000-MIG-48GB,RTXPRO6000
          RTX PRO 4500,RTXPRO4500
          RTXPRO4500-SE,RTXPRO4500
          Radeon Pro V520,V520
          Radeon MI25,MI25
          AMD Instinct MI300X,MI300X
          GAUDI2,Gaudi2
          Gaudi HL-205,Gaudi
          p150a,p150
          TT-Galaxy-WH,tt-galaxy-wh
          v5e-8,v5litepod-8
          v5litepod-8,v5litepod-8
          tpu-v5litepod-256,v5litepod-256
          tpu-v3-8,v3-8
          TPU-v6e-4,v6e-4
          v5e,v5litepod
          tpu-v5p,v5p
          """)
  void aNameIsWrittenAsTheCatalogWritesIt(String given, String canonical) {
    assertThat(Accelerators.canonical(given)).isEqualTo(canonical);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "NVIDIA", "Inferentia2", "Virtex UltraScale+ (VU47P)", "v9-8", "80GB"})
  void whatIsNotKnownStaysAsItIs(String name) {
    assertThat(Accelerators.find(name)).isEmpty();
    assertThat(Accelerators.canonical(name)).isEqualTo(name);
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          B300,10.3,270
          GB300,10.3,279
          A30,8.0,24
          A2,8.6,16
          A800,8.0,40/80
          RTX8000,7.5,48
          RTXPRO5000,12.0,48/72
          RTXPRO4000,12.0,24
          RTX5880Ada,8.9,48
          T4G,7.5,16
          K80,3.7,12
          P4,6.1,8
          P40,6.1,24
          M60,5.2,8
          A2000,8.6,6/12
          P4000,6.1,8
          M4000,5.2,8
          A100,8.0,40/80
          H200,9.0,141
          """)
  void nvidiaModelsHaveMemoryAndAComputeCapability(String name, String capability, String memory) {
    Accelerator found = Accelerators.find(name).orElseThrow();
    assertThat(found.computeCapability()).hasToString(capability);
    assertThat(found.memoryGib().stream().map(String::valueOf).collect(Collectors.joining("/")))
        .isEqualTo(memory);
  }

  @Test
  void otherVendorsHaveAnArchitectureInstead() {
    Accelerator found = Accelerators.find("MI325X").orElseThrow();
    assertThat(found.vendor()).isEqualTo(AcceleratorVendor.AMD);
    assertThat(found.memoryGib()).containsExactly(256);
    assertThat(found.architecture()).isEqualTo("CDNA3");
    assertThat(found.computeCapability()).isNull();
  }

  @Test
  void aSliceIsOfItsFamily() {
    assertThat(Accelerators.find("v5e-8").orElseThrow().name()).isEqualTo("v5litepod");
    assertThat(Accelerators.find("v6e-4").orElseThrow().vendor())
        .isEqualTo(AcceleratorVendor.GOOGLE);
  }

  @Test
  void everyModelIsFoundByItsNameAndItsAliases() {
    for (Accelerator accelerator : Accelerators.all()) {
      assertThat(Accelerators.canonical(accelerator.name())).isEqualTo(accelerator.name());
      for (String alias : accelerator.aliases()) {
        assertThat(Accelerators.find(alias)).contains(accelerator);
      }
      boolean nvidia = accelerator.vendor() == AcceleratorVendor.NVIDIA;
      assertThat(accelerator.computeCapability() != null).isEqualTo(nvidia);
      boolean tpu = accelerator.vendor() == AcceleratorVendor.GOOGLE;
      assertThat(accelerator.memoryGib().isEmpty()).isEqualTo(tpu);
    }
    assertThat(Accelerators.all())
        .extracting(Accelerator::computeCapability)
        .contains(new ComputeCapability(12, 1));
  }
}
