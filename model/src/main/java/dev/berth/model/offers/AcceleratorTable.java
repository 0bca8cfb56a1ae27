package dev.berth.model.offers;

/**
 * What is known of accelerators, a line each: vendor, name, memory in GiB (the sizes in which it is
 * sold), compute capability or architecture, aliases.
 *
 * <p>Where a maker's figure and what a machine sees differ much, as with HBM3e, the lower one
 * stands here: catalogs compare by it. Aliases are written without blanks, '-' and '_', which do
 * not count.
 */
final class AcceleratorTable {
  static final String LINES =
      """
      NVIDIA K80             12      3.7
      NVIDIA M60             8       5.2
      NVIDIA M4000           8       5.2
      NVIDIA P100            16      6.0
      NVIDIA P4              8       6.1
      NVIDIA P40             24      6.1
      NVIDIA P4000           8       6.1
      NVIDIA P5000           16      6.1
      NVIDIA P6000           24      6.1
      NVIDIA V100            16,32   7.0
      NVIDIA T4              16      7.5
      NVIDIA T4G             16      7.5
      NVIDIA RTX4000         8       7.5
      NVIDIA RTX5000         16      7.5
      NVIDIA RTX6000         24      7.5
      NVIDIA RTX8000         48      7.5
      NVIDIA RTX2060         6,12    7.5
      NVIDIA RTX2060SUPER    8       7.5     RTX2060S
      NVIDIA RTX2070         8       7.5
      NVIDIA RTX2070SUPER    8       7.5     RTX2070S
      NVIDIA RTX2080         8       7.5
      NVIDIA RTX2080SUPER    8       7.5     RTX2080S
      NVIDIA RTX2080Ti       11      7.5
      NVIDIA A100            40,80   8.0
      NVIDIA A800            40,80   8.0
      NVIDIA A30             24      8.0
      NVIDIA A2              16      8.6
      NVIDIA A10             24      8.6
      NVIDIA A10G            24      8.6
      NVIDIA A16             16      8.6
      NVIDIA A40             48      8.6
      NVIDIA A2000           6,12    8.6     RTXA2000
      NVIDIA A4000           16      8.6     RTXA4000
      NVIDIA A4500           20      8.6     RTXA4500
      NVIDIA A5000           24      8.6     RTXA5000
      NVIDIA A5500           24      8.6     RTXA5500
      NVIDIA A6000           48      8.6     RTXA6000
      NVIDIA RTX3050         6,8     8.6
      NVIDIA RTX3060         8,12    8.6
      NVIDIA RTX3060Ti       8       8.6
      NVIDIA RTX3070         8       8.6
      NVIDIA RTX3070Ti       8       8.6
      NVIDIA RTX3080         10      8.6
      NVIDIA RTX3080Ti       12      8.6
      NVIDIA RTX3090         24      8.6
      NVIDIA RTX3090Ti       24      8.6
      NVIDIA L4              24      8.9
      NVIDIA L40             48      8.9
      NVIDIA L40S            48      8.9
      NVIDIA RTX2000Ada      16      8.9
      NVIDIA RTX4000Ada      20      8.9     RTX4000SFFAda
      NVIDIA RTX4500Ada      24      8.9
      NVIDIA RTX5000Ada      32      8.9
      NVIDIA RTX5880Ada      48      8.9
      NVIDIA RTX6000Ada      48      8.9
      NVIDIA RTX4060         8       8.9
      NVIDIA RTX4060Ti       8,16    8.9
      NVIDIA RTX4070         12      8.9
      NVIDIA RTX4070SUPER    12      8.9     RTX4070S
      NVIDIA RTX4070Ti       12      8.9
      NVIDIA RTX4070TiSUPER  16      8.9     RTX4070STi RTX4070TiS
      NVIDIA RTX4080         16      8.9
      NVIDIA RTX4080SUPER    16      8.9     RTX4080S
      NVIDIA RTX4090         24      8.9
      NVIDIA H20             96,141  9.0
      NVIDIA H100            80      9.0
      NVIDIA H100NVL         94      9.0
      NVIDIA H800            80      9.0
      NVIDIA H200            141     9.0
      NVIDIA H200NVL         141     9.0
      NVIDIA GH200           96      9.0
      NVIDIA B200            180     10.0
      NVIDIA GB200           186     10.0
      NVIDIA B300            270     10.3
      NVIDIA GB300           279     10.3
      NVIDIA RTX5060         8       12.0
      NVIDIA RTX5060Ti       8,16    12.0
      NVIDIA RTX5070         12      12.0
      NVIDIA RTX5070Ti       16      12.0
      NVIDIA RTX5080         16      12.0
      NVIDIA RTX5090         32      12.0
      NVIDIA RTXPRO4000      24      12.0    PRO4000
      NVIDIA RTXPRO4500      32      12.0    PRO4500
      NVIDIA RTXPRO5000      48,72   12.0    PRO5000
      NVIDIA RTXPRO6000      96      12.0    PRO6000 RTXPROSERVER6000 RTXPRO6000CC RTXPRO6000S
      NVIDIA GB10            128     12.1

      AMD MI25               16      Vega
      AMD MI100              32      CDNA
      AMD MI210              64      CDNA2
      AMD MI250              128     CDNA2
      AMD MI250X             128     CDNA2
      AMD MI300A             128     CDNA3
      AMD MI300X             192     CDNA3
      AMD MI308X             128     CDNA3
      AMD MI325X             256     CDNA3
      AMD MI350X             288     CDNA4
      AMD MI355X             288     CDNA4
      AMD V520               8       RDNA    PROV520
      AMD V620               32      RDNA2   PROV620
      AMD 7900XTX            24      RDNA3   RX7900XTX

      GOOGLE v2              -       -
      GOOGLE v3              -       -
      GOOGLE v4              -       -
      GOOGLE v5p             -       -
      GOOGLE v5litepod       -       -       v5e v5lite
      GOOGLE v6e             -       -

      INTEL Gaudi            32      -       GaudiHL205 HL205
      INTEL Gaudi2           96      -       HL225
      INTEL Gaudi3           128     -       HL325

      TENSTORRENT n150       12      Wormhole    n150d n150s
      TENSTORRENT n300       24      Wormhole    n300d n300s
      TENSTORRENT tt-galaxy-wh 12    Wormhole
      TENSTORRENT p100a      28      Blackhole
      TENSTORRENT p150       32      Blackhole   p150a p150b p150c
      TENSTORRENT p300       32,64   Blackhole   p300a p300b p300c
      TENSTORRENT tt-galaxy-bh 32    Blackhole
      """;

  private AcceleratorTable() {}
}
