package dev.berth.grammar;

import dev.berth.model.config.GatewayConfiguration;
import dev.berth.model.config.GatewayConfiguration.Certificate;
import dev.berth.model.config.GatewayConfiguration.CertificateType;
import dev.berth.model.config.GatewayConfiguration.LoadBalancer;
import dev.berth.model.config.GatewayConfiguration.LoadBalancerType;
import java.util.List;
import java.util.Map;

/**
 * Who issues the certificate of a gateway, and what that asks of the gateway. A backend may have a
 * name of its own, whose cloud only the server knows, so a rule about clouds refuses only backends
 * that are called by the name of another cloud.
 */
final class GatewayCertificates {
  private static final String AWS = "aws";
  private static final String GCP = "gcp";
  private static final List<String> CLOUDS = List.of(AWS, "azure", GCP, "kubernetes");
  static final Certificate LETS_ENCRYPT = new Certificate(CertificateType.LETS_ENCRYPT, null, null);

  static final RecordShape<Certificate> CERTIFICATE =
      RecordShape.of(Certificate.class)
          .with(
              new Field<>(
                      "type", Scalars.choice(CertificateType.class), "lets-encrypt, acm or gcp-cm")
                  .required())
          .with(
              new Field<>("arn", Scalars.TEXT, "the certificate at AWS Certificate Manager")
                  .nullable())
          .with(
              new Field<>(
                      "name", Scalars.TEXT, "the certificate at Google Cloud Certificate Manager")
                  .nullable())
          .check(
              List.of("type", "arn", "name"),
              (value, findings) -> {
                belongsTo(CertificateType.ACM, "arn", value.arn() != null, value, findings);
                belongsTo(CertificateType.GCP_CM, "name", value.name() != null, value, findings);
              })
          .schemaRule(goesWith("arn", "acm"))
          .schemaRule(goesWith("name", "gcp-cm"));

  static final RecordShape<LoadBalancer> LOAD_BALANCER =
      RecordShape.of(LoadBalancer.class)
          .with(new Field<>("type", Scalars.choice(LoadBalancerType.class), "alb").required());

  private GatewayCertificates() {}

  private static void belongsTo(
      CertificateType type,
      String field,
      boolean written,
      Certificate certificate,
      Check.Findings findings) {
    if ((certificate.type() == type) != written) {
      String word = Scalars.word(type, '-');
      findings.error(
          Rule.CERTIFICATE_FIELDS,
          field,
          written
              ? "'" + field + "' is only valid with type " + word
              : "a certificate of type " + word + " needs '" + field + "'");
    }
  }

  static void check(GatewayConfiguration gateway, Check.Findings findings) {
    Certificate certificate = gateway.certificate();
    boolean balanced = gateway.loadBalancer() != null;
    if (balanced && isOtherCloud(gateway, List.of(AWS, GCP))) {
      refuse("load_balancer", "a load balancer of type alb needs the backend aws or gcp", findings);
    }
    if (certificate == null) {
      return;
    }
    switch (certificate.type()) {
      case LETS_ENCRYPT -> {
        String other = "; use a certificate of type acm or gcp-cm, or certificate: null";
        Integer replicas = gateway.replicas();
        if (!gateway.publicIp()) {
          refuse("public_ip", "lets-encrypt needs a public address" + other, findings);
        }
        if (balanced) {
          refuse(
              "load_balancer", "lets-encrypt does not work with a load balancer" + other, findings);
        }
        if (replicas != null && replicas > 1) {
          refuse("replicas", "lets-encrypt does not work with several replicas" + other, findings);
        }
      }
      case ACM -> {
        if (isOtherCloud(gateway, List.of(AWS))) {
          refuse("certificate", "a certificate of type acm needs the backend aws", findings);
        }
      }
      case GCP_CM -> {
        if (isOtherCloud(gateway, List.of(GCP))) {
          refuse("certificate", "a certificate of type gcp-cm needs the backend gcp", findings);
        } else if (!balanced) {
          refuse(
              "certificate",
              "a certificate of type gcp-cm needs load_balancer: {type: alb}",
              findings);
        }
      }
    }
  }

  private static boolean isOtherCloud(GatewayConfiguration gateway, List<String> wanted) {
    return CLOUDS.contains(gateway.backend()) && !wanted.contains(gateway.backend());
  }

  private static void refuse(String field, String message, Check.Findings findings) {
    findings.error(Rule.GATEWAY_CERTIFICATE, field, message);
  }

  static List<Map<String, Object>> schemaRules() {
    Map<String, Object> balanced = SchemaRules.set("load_balancer");
    Map<String, Object> fromElsewhere =
        SchemaRules.has(
            "certificate",
            Map.of("anyOf", List.of(Map.of("type", "null"), ofType("acm"), ofType("gcp-cm"))));
    return List.of(
        SchemaRules.ifNot(
            fromElsewhere,
            Map.of(
                "not",
                balanced,
                "properties",
                Map.of(
                    "public_ip", Map.of("not", Map.of("const", false)),
                    "replicas", Map.of("not", Map.of("type", "integer", "minimum", 2))))),
        SchemaRules.excludes(balanced, onOtherCloud(List.of(AWS, GCP))),
        SchemaRules.excludes(
            SchemaRules.has("certificate", ofType("acm")), onOtherCloud(List.of(AWS))),
        SchemaRules.excludes(
            SchemaRules.has("certificate", ofType("gcp-cm")), onOtherCloud(List.of(GCP))),
        SchemaRules.excludes(
            SchemaRules.has("certificate", ofType("gcp-cm")), Map.of("not", balanced)));
  }

  private static Map<String, Object> ofType(String type) {
    return Map.of("type", "object", "allOf", List.of(SchemaRules.is("type", type)));
  }

  private static Map<String, Object> onOtherCloud(List<String> wanted) {
    List<String> others = CLOUDS.stream().filter(cloud -> !wanted.contains(cloud)).toList();
    return SchemaRules.has("backend", Map.of("enum", others));
  }

  private static Map<String, Object> goesWith(String field, String type) {
    return Map.of(
        "if",
        SchemaRules.is("type", type),
        "then",
        SchemaRules.set(field),
        "else",
        Map.of("not", SchemaRules.set(field)));
  }
}
