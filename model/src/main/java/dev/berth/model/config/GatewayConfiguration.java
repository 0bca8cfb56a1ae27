package dev.berth.model.config;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The public entrance of services. */
public record GatewayConfiguration(
    @Nullable String name,
    @Nullable Boolean isDefault,
    String backend,
    String region,
    @Nullable String instanceType,
    @Nullable String domain,
    boolean publicIp,
    @Nullable LoadBalancer loadBalancer,
    @Nullable Certificate certificate,
    @Nullable Integer replicas,
    @Nullable Map<String, String> tags)
    implements Configuration {
  /**
   * Who issues the certificate of a gateway; no certificate means plain HTTP.
   *
   * @param arn the certificate at AWS, only of type {@code ACM}
   * @param name the full name of the certificate at Google, only of type {@code GCP_CM}
   */
  public record Certificate(CertificateType type, @Nullable String arn, @Nullable String name) {}

  public enum CertificateType {
    LETS_ENCRYPT,
    ACM,
    GCP_CM
  }

  public record LoadBalancer(LoadBalancerType type) {}

  public enum LoadBalancerType {
    ALB
  }
}
