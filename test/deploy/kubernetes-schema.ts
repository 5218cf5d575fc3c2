import { z } from "zod";

/**
 * What the manifests use of each kind, strictly: a member that is misspelt, or that a kind does not have, is a problem.
 * A member that is used for the first time is added here, after a look at the reference of that kind.
 * @see https://kubernetes.io/docs/reference/kubernetes-api/
 */
const labels = z.record(z.string().regex(/^[a-z0-9.-]+\/[A-Za-z0-9._-]+$/), z.string());
const name = z.string().regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/);
const metadata = z.strictObject({
  name,
  namespace: name.optional(),
  labels: labels.optional(),
  annotations: labels.optional(),
});
const selector = z.strictObject({
  matchLabels: labels.optional(),
  matchExpressions: z
    .array(z.strictObject({ key: z.string(), operator: z.enum(["In", "NotIn"]), values: z.array(z.string()) }))
    .optional(),
});
const port = z.union([z.int().min(1).max(65_535), name]);
const probe = z.strictObject({
  httpGet: z.strictObject({ path: z.string().startsWith("/"), port }),
  periodSeconds: z.int(),
  timeoutSeconds: z.int().optional(),
  failureThreshold: z.int(),
});
const quantities = z.strictObject({ cpu: z.string().regex(/^\d+m?$/), memory: z.string().regex(/^\d+[MG]i$/) });
const keyItems = z.array(z.strictObject({ key: name, path: name }));
const environment = z.array(
  z.union([
    z.strictObject({ name: z.string(), value: z.string() }),
    z.strictObject({
      name: z.string(),
      valueFrom: z.strictObject({ configMapKeyRef: z.strictObject({ name, key: z.string() }) }),
    }),
  ]),
);
const container = z.strictObject({
  name,
  image: z.string(),
  args: z.array(z.string()).optional(),
  env: environment,
  envFrom: z
    .array(z.strictObject({ configMapRef: z.strictObject({ name, optional: z.boolean().optional() }) }))
    .optional(),
  ports: z.array(z.strictObject({ name, containerPort: z.int() })).optional(),
  startupProbe: probe.optional(),
  livenessProbe: probe.optional(),
  readinessProbe: probe.optional(),
  lifecycle: z
    .strictObject({ preStop: z.strictObject({ exec: z.strictObject({ command: z.array(z.string()) }) }) })
    .optional(),
  resources: z.strictObject({ requests: quantities, limits: quantities }),
  securityContext: z.strictObject({
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.literal(true),
    capabilities: z.strictObject({ drop: z.tuple([z.literal("ALL")]) }),
  }),
  volumeMounts: z.array(z.strictObject({ name, mountPath: z.string(), readOnly: z.boolean().optional() })),
});
const volume = z.union([
  z.strictObject({
    name,
    secret: z.strictObject({ secretName: name, defaultMode: z.literal(0o440), items: keyItems }),
  }),
  z.strictObject({
    name,
    projected: z.strictObject({
      defaultMode: z.literal(0o440),
      sources: z.array(z.strictObject({ secret: z.strictObject({ name, items: keyItems }) })),
    }),
  }),
  z.strictObject({ name, emptyDir: z.strictObject({ sizeLimit: z.string() }) }),
]);
const podTemplate = z.strictObject({
  metadata: z.strictObject({ labels }),
  spec: z.strictObject({
    serviceAccountName: name.optional(),
    automountServiceAccountToken: z.literal(false),
    enableServiceLinks: z.literal(false),
    restartPolicy: z.enum(["Always", "Never"]).optional(),
    terminationGracePeriodSeconds: z.int().optional(),
    securityContext: z.strictObject({
      runAsNonRoot: z.literal(true),
      runAsUser: z.int().min(1),
      runAsGroup: z.int().min(1),
      fsGroup: z.int().min(1),
      seccompProfile: z.strictObject({ type: z.literal("RuntimeDefault") }),
    }),
    topologySpreadConstraints: z
      .array(
        z.strictObject({
          maxSkew: z.int(),
          topologyKey: z.string(),
          whenUnsatisfiable: z.enum(["ScheduleAnyway", "DoNotSchedule"]),
          labelSelector: selector,
        }),
      )
      .optional(),
    containers: z.array(container).length(1),
    volumes: z.array(volume),
  }),
});
const peer = z.union([
  z.strictObject({ namespaceSelector: selector, podSelector: selector.optional() }),
  z.strictObject({ podSelector: selector }),
  z.strictObject({ ipBlock: z.strictObject({ cidr: z.string(), except: z.array(z.string()).optional() }) }),
]);
const networkPorts = z.array(z.strictObject({ protocol: z.enum(["TCP", "UDP"]), port }));

const deployment = z.strictObject({
  apiVersion: z.literal("apps/v1"),
  kind: z.literal("Deployment"),
  metadata,
  spec: z.strictObject({
    replicas: z.int().min(1),
    revisionHistoryLimit: z.int(),
    selector,
    strategy: z.strictObject({ rollingUpdate: z.strictObject({ maxSurge: z.int(), maxUnavailable: z.int() }) }),
    template: podTemplate,
  }),
});

const job = z.strictObject({
  apiVersion: z.literal("batch/v1"),
  kind: z.literal("Job"),
  metadata,
  spec: z.strictObject({ backoffLimit: z.int(), ttlSecondsAfterFinished: z.int(), template: podTemplate }),
});

const service = z.strictObject({
  apiVersion: z.literal("v1"),
  kind: z.literal("Service"),
  metadata,
  spec: z.strictObject({
    selector: labels,
    ports: z.array(z.strictObject({ name, port: z.int(), targetPort: port })),
  }),
});

const disruptionBudget = z.strictObject({
  apiVersion: z.literal("policy/v1"),
  kind: z.literal("PodDisruptionBudget"),
  metadata,
  spec: z.strictObject({
    minAvailable: z.int(),
    unhealthyPodEvictionPolicy: z.enum(["AlwaysAllow", "IfHealthyBudget"]),
    selector,
  }),
});

const networkPolicy = z.strictObject({
  apiVersion: z.literal("networking.k8s.io/v1"),
  kind: z.literal("NetworkPolicy"),
  metadata,
  spec: z.strictObject({
    podSelector: selector,
    policyTypes: z.array(z.enum(["Ingress", "Egress"])),
    ingress: z.array(z.strictObject({ from: z.array(peer), ports: networkPorts })).optional(),
    egress: z.array(z.strictObject({ to: z.array(peer), ports: networkPorts })).optional(),
  }),
});

const ingress = z.strictObject({
  apiVersion: z.literal("networking.k8s.io/v1"),
  kind: z.literal("Ingress"),
  metadata,
  spec: z.strictObject({
    ingressClassName: name,
    tls: z.array(z.strictObject({ hosts: z.array(z.string()), secretName: name })),
    rules: z.array(
      z.strictObject({
        host: z.string(),
        http: z.strictObject({
          paths: z.array(
            z.strictObject({
              path: z.string(),
              pathType: z.enum(["Exact", "Prefix"]),
              backend: z.strictObject({ service: z.strictObject({ name, port: z.strictObject({ name }) }) }),
            }),
          ),
        }),
      }),
    ),
  }),
});

const secret = z.strictObject({
  apiVersion: z.literal("v1"),
  kind: z.literal("Secret"),
  metadata,
  stringData: z.record(name, z.string()),
});

const kustomizationMembers = {
  namespace: name.optional(),
  resources: z.array(z.string()),
  components: z.array(z.string()).optional(),
  images: z.array(z.strictObject({ name, newName: z.string(), newTag: z.string() })).optional(),
  configMapGenerator: z.array(z.strictObject({ name, literals: z.array(z.string()) })).optional(),
  patches: z
    .array(z.strictObject({ target: z.strictObject({ kind: z.string(), name: z.string() }), patch: z.string() }))
    .optional(),
};
const kustomization = z.strictObject({
  apiVersion: z.literal("kustomize.config.k8s.io/v1beta1"),
  kind: z.literal("Kustomization"),
  ...kustomizationMembers,
});
const component = z.strictObject({
  apiVersion: z.literal("kustomize.config.k8s.io/v1alpha1"),
  kind: z.literal("Component"),
  ...kustomizationMembers,
  resources: kustomizationMembers.resources.optional(),
});

const scaledObject = z.strictObject({
  apiVersion: z.literal("keda.sh/v1alpha1"),
  kind: z.literal("ScaledObject"),
  metadata,
  spec: z.strictObject({
    scaleTargetRef: z.strictObject({ kind: z.literal("Deployment"), name }),
    minReplicaCount: z.int(),
    maxReplicaCount: z.int(),
    pollingInterval: z.int(),
    cooldownPeriod: z.int(),
    fallback: z.strictObject({ failureThreshold: z.int(), replicas: z.int() }),
    triggers: z.array(
      z.strictObject({
        type: z.literal("prometheus"),
        metricType: z.enum(["AverageValue", "Value"]),
        metadata: z.strictObject({ serverAddress: z.url(), query: z.string(), threshold: z.string().regex(/^\d+$/) }),
      }),
    ),
  }),
});

const podMonitor = z.strictObject({
  apiVersion: z.literal("monitoring.coreos.com/v1"),
  kind: z.literal("PodMonitor"),
  metadata,
  spec: z.strictObject({
    jobLabel: z.string(),
    selector,
    podMetricsEndpoints: z.array(z.strictObject({ port: name, path: z.literal("/metrics"), interval: z.string() })),
  }),
});

const serviceAccount = z.strictObject({
  apiVersion: z.literal("v1"),
  kind: z.literal("ServiceAccount"),
  metadata,
  automountServiceAccountToken: z.literal(false),
});
const namespace = z.strictObject({ apiVersion: z.literal("v1"), kind: z.literal("Namespace"), metadata });

export const manifest = z.discriminatedUnion("kind", [
  deployment,
  job,
  service,
  disruptionBudget,
  networkPolicy,
  ingress,
  secret,
  scaledObject,
  podMonitor,
  serviceAccount,
  namespace,
  kustomization,
  component,
]);

export type Manifest = z.output<typeof manifest>;
export type PodTemplate = z.output<typeof podTemplate>;
export type Selector = z.output<typeof selector>;
