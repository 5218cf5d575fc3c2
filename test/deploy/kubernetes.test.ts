import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { callbackPath } from "../../src/config/identity-provider.ts";
import { loadDatabaseSettings, loadSettings } from "../../src/config/load-settings.ts";
import { settingDescriptions } from "../../src/config/settings.ts";
import { agencyPaths } from "../../src/dashboard/page-table.ts";
import { providerSignInPath } from "../../src/dashboard/provider-sign-in.ts";
import { createEncryptionKey } from "../../src/kernel/encryption-keys.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { type ServerProcess, startServerProcess } from "../harness/server-process.ts";
import { hasProgram, runProgram } from "./find-program.ts";
import { readImageSettings } from "./image-settings.ts";
import { type Manifest, manifest, type PodTemplate, type Selector } from "./kubernetes-schema.ts";

type Kind = Manifest["kind"];
type OfKind<K extends Kind> = Extract<Manifest, { readonly kind: K }>;

const root = fileURLToPath(new URL("../../deploy/kubernetes/", import.meta.url));
const files = readdirSync(root, { recursive: true, encoding: "utf8" })
  .filter((file) => /\.ya?ml$/.test(file))
  .sort();
const manifests = files.flatMap((file) =>
  parseAllDocuments(readFileSync(join(root, file), "utf8"), { merge: true }).map((document) => ({
    file,
    value: document.toJS() as unknown,
  })),
);
const valid = manifests.flatMap(({ file, value }) => {
  const { data } = manifest.safeParse(value);
  return data === undefined ? [] : [{ file, manifest: data }];
});

function ofKind<K extends Kind>(kind: K): readonly OfKind<K>[] {
  return valid.map((entry) => entry.manifest).filter((one): one is OfKind<K> => one.kind === kind);
}

const pods: readonly { readonly name: string; readonly template: PodTemplate }[] = [
  ...ofKind("Deployment"),
  ...ofKind("Job"),
].map(({ metadata, spec }) => ({ name: metadata.name, template: spec.template }));
const podNames = pods.map(({ name }) => name);
const podOf = (name: string): PodTemplate => pods.find((pod) => pod.name === name)!.template;
const secrets: ReadonlyMap<string, Readonly<Record<string, string>>> = new Map(
  ofKind("Secret").map(({ metadata, stringData }) => [metadata.name, stringData]),
);
const configMaps: ReadonlyMap<string, Readonly<Record<string, string>>> = new Map(
  ofKind("Kustomization")
    .flatMap(({ configMapGenerator = [] }) => configMapGenerator)
    .map(({ name, literals }) => [name, Object.fromEntries(literals.map((literal) => literal.split(/=(.*)/s)))]),
);

function matches({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Readonly<Record<string, string>>) {
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values }) => values.includes(labels[key] ?? "") === (operator === "In"))
  );
}

/** The names of pods that a selector selects. */
function selectedBy(selector: Selector): readonly string[] {
  return pods.filter(({ template }) => matches(selector, template.metadata.labels)).map(({ name }) => name);
}

const changelog = readFileSync(new URL("../../CHANGELOG.md", import.meta.url), "utf8");
const newestRelease = /^## \[(\d+\.\d+\.\d+)\]/m.exec(changelog)?.[1];
const encryptionKeys = createEncryptionKey(new Date("2027-01-01T00:00:00Z"));

/** What somebody puts in the place of an example that a process would refuse. */
function toRealSecret(example: string): string {
  return example.replaceAll("change-me", "0123456789abcdef0123456789abcdef");
}

/** The files that a pod finds, by path. */
function mountedFiles({ spec }: PodTemplate): ReadonlyMap<string, string> {
  const mounted = new Map<string, string>();
  for (const { name, mountPath } of spec.containers[0]!.volumeMounts) {
    const volume = spec.volumes.find((candidate) => candidate.name === name);
    if (volume === undefined) throw new Error(`no volume ${name}`);
    const sources =
      "secret" in volume
        ? [{ name: volume.secret.secretName, items: volume.secret.items }]
        : "projected" in volume
          ? volume.projected.sources.map(({ secret }) => secret)
          : [];
    for (const source of sources) {
      for (const { key, path } of source.items) {
        const value = secrets.get(source.name)?.[key];
        if (value === undefined) throw new Error(`no key ${key} in the secret ${source.name}`);
        mounted.set(`${mountPath}/${path}`, key === "encryption-keys" ? encryptionKeys : toRealSecret(value));
      }
    }
  }
  return mounted;
}

function environmentOf({ spec }: PodTemplate): Readonly<Record<string, string>> {
  const { env, envFrom = [] } = spec.containers[0]!;
  const shared = envFrom.map(({ configMapRef }) => {
    const values = configMaps.get(configMapRef.name);
    if (values === undefined) throw new Error(`no ConfigMap ${configMapRef.name}`);
    return values;
  });
  const own = env.map((variable): [string, string] => {
    if ("value" in variable) return [variable.name, variable.value];
    const { name, key } = variable.valueFrom.configMapKeyRef;
    const value = configMaps.get(name)?.[key];
    if (value === undefined) throw new Error(`no key ${key} in the ConfigMap ${name}`);
    return [variable.name, value];
  });
  return Object.assign({}, ...shared, Object.fromEntries(own)) as Record<string, string>;
}

describe("the manifests", () => {
  test.each(manifests.map(({ file, value }) => [`${file} ${nameOf(value)}`, value] as const))(
    "%s has only members that its kind has",
    (_name, value) => {
      expect(manifest.safeParse(value).error?.issues ?? []).toEqual([]);
    },
  );

  test("the example has the image of the newest release", () => {
    const tags = ofKind("Kustomization").flatMap(({ images = [] }) => images.map(({ newTag }) => newTag));

    expect(tags).toEqual([newestRelease, newestRelease]);
  });

  test("there is a deployment for each role, and a job that migrates", () => {
    expect(podNames.toSorted()).toEqual(
      ["dashboard", "gateway", "migrate", "receiver", "sender", "worker"].map((role) => `skedchange-${role}`),
    );
  });

  test.each(files.filter((file) => file.endsWith("kustomization.yaml")))("%s lists every file beside it", (file) => {
    const folder = file.slice(0, -"/kustomization.yaml".length);
    const { manifest: read } = valid.find((entry) => entry.file === file)!;
    const listed = read.kind === "Kustomization" || read.kind === "Component" ? (read.resources ?? []) : [];
    const beside = files.filter(
      (other) => other.startsWith(`${folder}/`) && !other.slice(folder.length + 1).includes("/"),
    );
    const expected = beside
      .map((path) => path.slice(folder.length + 1))
      .filter((name) => name !== "kustomization.yaml" && !name.endsWith(".example.yaml"));

    expect(listed.filter((name) => name.endsWith(".yaml")).toSorted()).toEqual(expected.toSorted());
    for (const other of listed.filter((name) => !name.endsWith(".yaml"))) {
      expect(files).toContain(join(folder, other, "kustomization.yaml"));
    }
  });

  // Not every machine has it; the checks above do without.
  const ifKubectl = hasProgram("kubectl", "version", "--client") ? test : test.skip;
  ifKubectl.each(["example", "example/migrate"])("kubectl builds %s", (folder) => {
    const built = parseAllDocuments(runProgram("kubectl", "kustomize", join(root, folder)), { merge: true });
    const workloads = built
      .map((document) => document.toJS())
      .filter(({ kind }) => kind === "Deployment" || kind === "Job");

    expect(workloads.length).toBeGreaterThan(0);
    for (const { metadata, spec } of workloads) {
      expect(metadata.namespace).toBe("skedchange");
      expect(spec.template.spec.containers[0].image).toBe(`registry.example.com/skedchange:${newestRelease}`);
      // KEDA decides about the number of workers.
      if (metadata.name === "skedchange-worker") expect(spec.replicas).toBeUndefined();
    }
  });
});

describe("a component that an overlay adds", () => {
  const ifKubectl = hasProgram("kubectl", "version", "--client") ? test : test.skip;
  ifKubectl.each([
    ["mail", "SMTP_URL_FILE", "smtp-url", ["skedchange-dashboard", "skedchange-sender"]],
    ["sign-in", "OIDC_CLIENT_SECRET_FILE", "oidc-client-secret", ["skedchange-dashboard"]],
  ])("%s gives a secret to the pods that use it, and to no other", (component, variable, key, names) => {
    const folder = mkdtempSync(join(tmpdir(), "skedchange-overlay-"));
    try {
      cpSync(root, folder, { recursive: true });
      const overlay = join(folder, "example/kustomization.yaml");
      const commented = `  # - ../${component}`;
      expect(readFileSync(overlay, "utf8")).toContain(commented);
      writeFileSync(overlay, readFileSync(overlay, "utf8").replace(commented, `  - ../${component}`));

      const built = parseAllDocuments(runProgram("kubectl", "kustomize", join(folder, "example")), { merge: true });
      const deployments = built.map((document) => document.toJS()).filter(({ kind }) => kind === "Deployment");
      const path = `/run/secrets/skedchange/${key}`;
      const given = deployments.filter(({ spec }) => JSON.stringify(spec).includes(key));

      expect(given.map(({ metadata }) => metadata.name).toSorted()).toEqual(names);
      expect(secrets.get("skedchange")).toHaveProperty([key]);
      for (const { spec } of given) {
        const { containers, volumes } = spec.template.spec;
        expect(containers[0].env).toContainEqual({ name: variable, value: path });
        expect(volumes[0].secret.items).toContainEqual({ key, path: key });
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe("the pods", () => {
  test.each(podNames)("of %s get settings with which their role starts", (name) => {
    const template = podOf(name);
    const mounted = mountedFiles(template);
    const environment = { ...readImageSettings(), ...environmentOf(template) };
    const readFile = (path: string) => {
      const text = mounted.get(path);
      if (text === undefined) throw new Error(`nothing is mounted at ${path}`);
      return text;
    };
    const role = template.metadata.labels["app.kubernetes.io/component"];

    if (role === "migrate") {
      expect(loadDatabaseSettings(environment, readFile, { needsKeys: false })).toMatchObject({ ok: true });
      return;
    }
    const loaded = loadSettings(environment, readFile);
    expect(loaded.ok ? [] : loaded.problems).toEqual([]);
    if (loaded.ok) expect(loaded.configuration.roles).toEqual([role]);
  });

  test.each(podNames)("of %s get no variable that is no setting, and no secret in one", (name) => {
    const allowed = new Set<string>(
      settingDescriptions.map(({ name: setting, secret }) => (secret === true ? `${setting}_FILE` : setting)),
    );

    expect(Object.keys(environmentOf(podOf(name))).filter((variable) => !allowed.has(variable))).toEqual([]);
  });

  test.each(podNames)("of %s get no secret that they do not use", (name) => {
    const template = podOf(name);
    const used = Object.entries(environmentOf(template)).flatMap(([key, path]) =>
      key.endsWith("_FILE") ? [path] : [],
    );

    expect([...mountedFiles(template).keys()].toSorted()).toEqual(used.toSorted());
  });

  test("only the migration has the credentials of the owner of the database", () => {
    const owners = pods.filter(({ template }) => "DATABASE_OWNER_URL_FILE" in environmentOf(template));

    expect(owners.map(({ name }) => name)).toEqual(["skedchange-migrate"]);
  });

  test("every selector of a deployment, a disruption budget and a service selects its own pods alone", () => {
    const selecting = [
      ...ofKind("Deployment").map(({ metadata, spec }) => ({ name: metadata.name, selector: spec.selector })),
      ...ofKind("PodDisruptionBudget").map(({ metadata, spec }) => ({ name: metadata.name, selector: spec.selector })),
      ...ofKind("Service").map(({ metadata, spec }) => ({
        name: metadata.name,
        selector: { matchLabels: spec.selector },
      })),
    ];

    expect(selecting.length).toBeGreaterThan(10);
    for (const { name, selector } of selecting)
      expect({ name, selects: selectedBy(selector) }).toEqual({ name, selects: [name] });
  });

  test("a deployment that may not lose its last pod has two", () => {
    const budgets = new Set(ofKind("PodDisruptionBudget").map(({ metadata }) => metadata.name));

    for (const { metadata, spec } of ofKind("Deployment")) {
      const { name } = metadata;
      expect({ name, replicas: spec.replicas }).toEqual({ name, replicas: budgets.has(name) ? 2 : 1 });
    }
  });

  test("KEDA scales a deployment that is there, and begins with as many pods", () => {
    for (const { spec } of ofKind("ScaledObject")) {
      const scaled = ofKind("Deployment").find(({ metadata }) => metadata.name === spec.scaleTargetRef.name);

      expect(scaled?.spec.replicas).toBe(spec.minReplicaCount);
      expect(spec.fallback.replicas).toBeGreaterThanOrEqual(spec.minReplicaCount);
    }
  });
});

describe("the paths", () => {
  let db: TestDatabase;
  let server: ServerProcess;
  beforeAll(async () => {
    db = await createTestDatabase();
    server = await startServerProcess({
      DATABASE_URL: db.serviceUrl,
      ROLES: "sender",
      OPS_PORT: "0",
      LOG_LEVEL: "warn",
    });
  }, 90_000);
  afterAll(async () => {
    await server.end("SIGTERM");
    await db.drop();
  });

  test("of all probes and of the metrics are served by a process of any role, on the port that they name", async () => {
    const [, operationsUrl] = /operations +(http:\S+)/.exec(server.output()) ?? [];
    const urls: Readonly<Record<string, string | undefined>> = { http: server.agencyUrl, operations: operationsUrl };
    const probed = pods.flatMap(({ template }) =>
      template.spec.containers.flatMap(({ startupProbe, livenessProbe, readinessProbe }) =>
        [startupProbe, livenessProbe, readinessProbe].flatMap((probe) => (probe === undefined ? [] : [probe.httpGet])),
      ),
    );
    const collected = ofKind("PodMonitor").flatMap(({ spec }) => spec.podMetricsEndpoints);
    const places = [...new Set([...probed, ...collected].map(({ port, path }) => `${port} ${path}`))];

    expect(places.toSorted()).toEqual(["http /healthz", "http /readyz", "operations /metrics"]);
    for (const place of places) {
      const [port = "", path] = place.split(" ");
      expect({ place, status: (await fetch(`${urls[port]}${path}`)).status }).toEqual({ place, status: 200 });
    }
  });

  test("of the ingress are what gateways and people need, and nothing about the process", () => {
    const paths = ofKind("Ingress").flatMap(({ spec }) => spec.rules.flatMap(({ http }) => http.paths));
    const servedBy = (path: string): string | undefined =>
      paths.find(({ path: prefix, pathType }) =>
        pathType === "Exact" ? path === prefix : path === prefix || path.startsWith(`${prefix}/`),
      )?.backend.service.name;

    for (const path of ["/ocn", "/ocn/acme", "/oauth/token", "/oauth/jwks.json"])
      expect(servedBy(path)).toBe("skedchange-receiver");
    const signIn = [providerSignInPath, callbackPath];
    for (const path of ["/api/v1/events", "/assets/index.js", ...signIn, ...agencyPaths]) {
      expect({ path, service: servedBy(path) }).toEqual({ path, service: "skedchange-dashboard" });
    }
    for (const path of ["/metrics", "/METRICS", "/metrics/", "/readyz", "/healthz", "/openapi.json", "/docs"]) {
      expect({ path, service: servedBy(path) }).toEqual({ path, service: undefined });
    }
    expect(ofKind("Service").map(({ metadata }) => metadata.name)).toEqual(
      expect.arrayContaining(paths.map(({ backend }) => backend.service.name)),
    );
  });
});

describe("the network policies", () => {
  const policies = ofKind("NetworkPolicy");

  test("deny everything that no other policy allows", () => {
    const deny = policies.find(({ metadata }) => metadata.name === "default-deny")!;

    expect(deny.spec).toEqual({ podSelector: {}, policyTypes: ["Ingress", "Egress"] });
  });

  test("have the direction of their rules, and select pods that are there", () => {
    for (const { metadata, spec } of policies.filter(({ metadata: { name } }) => name !== "default-deny")) {
      const { name } = metadata;
      const directions = [...(spec.ingress ? ["Ingress"] : []), ...(spec.egress ? ["Egress"] : [])];
      expect({ name, types: spec.policyTypes }).toEqual({ name, types: directions });
      const peers = [
        ...(spec.ingress ?? []).flatMap(({ from }) => from),
        ...(spec.egress ?? []).flatMap(({ to }) => to),
      ];
      for (const selector of [
        spec.podSelector,
        ...peers.flatMap((peer) => ("podSelector" in peer ? [peer.podSelector!] : [])),
      ]) {
        expect({ name, selects: selectedBy(selector) }).not.toEqual({ name, selects: [] });
      }
    }
  });

  test("name only ports that the pods have", () => {
    const named = policies.flatMap(({ spec }) =>
      [...(spec.ingress ?? []), ...(spec.egress ?? [])].flatMap(({ ports }) =>
        ports.flatMap(({ port }) => (typeof port === "string" ? [port] : [])),
      ),
    );
    const open = new Set(
      pods.flatMap(({ template }) => template.spec.containers[0]!.ports?.map(({ name }) => name) ?? []),
    );

    expect(named.filter((port) => !open.has(port))).toEqual([]);
  });

  test("let every pod reach the database and names, and the receiver nothing outside", () => {
    const egressOf = (pod: string): readonly string[] =>
      policies
        .filter(({ spec }) => spec.egress !== undefined && selectedBy(spec.podSelector).includes(pod))
        .map(({ metadata }) => metadata.name);

    for (const name of podNames)
      expect(egressOf(name)).toEqual(expect.arrayContaining(["skedchange-dns", "skedchange-data"]));
    const outside = podNames.filter((name) => egressOf(name).includes("skedchange-outside"));
    expect(outside.toSorted()).toEqual(["skedchange-dashboard", "skedchange-sender", "skedchange-worker"]);
    const mailing = podNames.filter((name) => egressOf(name).includes("skedchange-mail"));
    expect(mailing.toSorted()).toEqual(["skedchange-dashboard", "skedchange-sender"]);
  });

  test.each(["skedchange-outside", "skedchange-mail"])("the way %s leads to no private network", (name) => {
    const rule = policies.find(({ metadata }) => metadata.name === name)!.spec.egress![0]!;
    const excepted = rule.to.flatMap((peer) => ("ipBlock" in peer ? (peer.ipBlock.except ?? []) : []));

    expect(excepted).toEqual(
      expect.arrayContaining(["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "fc00::/7"]),
    );
  });
});

function nameOf(value: unknown): string {
  const { kind = "", metadata } = value as { kind?: string; metadata?: { name?: string } };
  return `${kind} ${metadata?.name ?? ""}`.trim();
}
