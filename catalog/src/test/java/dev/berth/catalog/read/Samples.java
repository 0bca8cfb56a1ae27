package dev.berth.catalog.read;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Small catalogs. */
public final class Samples {
  private Samples() {}

  /** A file of gpuhunt with one offer of that type. */
  public static String gpuhunt(String type) {
    return "instance_name,location,price,cpu,memory,gpu_count,gpu_name,gpu_memory,spot,disk_size,"
        + "gpu_vendor,flags,cpu_arch,provider_data\n"
        + type
        + ",r,1,1,1,0,,,True,,,,x86,{}\n";
  }

  /** A file of SkyPilot with one offer of that type. */
  static String skypilot(String type) {
    return "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,"
        + "Region\n"
        + type
        + ",,,1,1,,1,,r\n";
  }

  public static byte[] zip(Map<String, String> files) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(out)) {
      for (Map.Entry<String, String> file : new TreeMap<>(files).entrySet()) {
        zip.putNextEntry(new ZipEntry(file.getKey()));
        zip.write(file.getValue().getBytes(StandardCharsets.UTF_8));
        zip.closeEntry();
      }
    }
    return out.toByteArray();
  }
}
