/**
 * Which folder of `src` may import which, from the table in docs/architecture.md. A folder that is not listed has no
 * layer and may not be imported. `test/architecture/layers.test.ts` proves that these rules see the code.
 */
const base = ["kernel", "config", "telemetry"];
const features = ["receiver", "worker", "sender", "notices", "gateway", "dashboard"];

export const layers = {
  kernel: [],
  config: ["kernel"],
  telemetry: ["kernel"],

  contract: ["kernel"],
  travel: ["kernel"],
  itinerary: ["kernel", "contract", "travel"],
  policy: ["kernel", "itinerary", "travel"],
  cases: ["kernel", "contract", "travel", "itinerary", "policy"],

  http: ["kernel", "telemetry", "contract"],
  store: ["kernel", "contract", "cases", "telemetry"],
  queue: ["kernel", "telemetry"],
  client: ["kernel", "contract", "telemetry"],
  connectors: ["kernel", "contract", "client"],

  receiver: [...base, "contract", "http"],
  worker: [...base, "contract", "travel", "itinerary", "policy", "cases"],
  sender: [...base, "contract", "http"],
  notices: [...base, "travel", "http"],
  gateway: [...base, "contract", "travel", "http"],
  dashboard: [...base, "contract", "travel", "cases", "http"],
};

/**
 * Layers of which the types, but nothing that runs, may be imported as well. With its swc parser dependency-cruiser does
 * not know a type import from another one, so that half is held by `no-restricted-imports` in .oxlintrc.json.
 */
export const typesOf = {
  store: ["itinerary", "policy"],
  dashboard: ["itinerary", "policy", "sender", "notices"],
};

/** The composition root and the command line join everything. */
export const top = ["app", "cli"];

const either = (names) => `(${names.join("|")})`;

const layerRules = Object.entries(layers).map(([name, allowed]) => {
  const reachable = [...allowed, ...(typesOf[name] ?? [])];
  return {
    name: `${name}-imports-only-its-layers`,
    severity: "error",
    comment: `src/${name} may import ${[...reachable, "itself"].join(", ")}; see docs/architecture.md.`,
    from: { path: `^src/${name}/` },
    to: { path: "^src/", pathNot: [`^src/${either([name, ...reachable])}/`, ...filesFor(name)] },
  };
});

/**
 * Adapters have the shape that features ask for in their `ports.ts`; see docs/decisions/0003-adapters-know-ports.md. A
 * way in which a source may authenticate is one file of the receiver, which says its settings as well. Who informs
 * travellers is said by rules, and for a source by a setting.
 */
function filesFor(name) {
  if (name === "store" || name === "connectors")
    return [`^src/${either(features)}/((people|shopping|events)/)?[a-z-]*ports\\.ts$`];
  return name === "config" ? ["^src/receiver/ways\\.ts$", "^src/policy/inform\\.ts$"] : [];
}

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    ...layerRules,
    {
      name: "every-folder-has-a-layer",
      severity: "error",
      comment: "A folder of src that is in no layer. Give it a place in this file and in docs/architecture.md.",
      from: { path: "^src/" },
      to: { path: "^src/", pathNot: `^src/${either([...Object.keys(layers), ...top])}/` },
    },
    {
      name: "pure-domain",
      severity: "error",
      comment: "The domain computes: no files, no network, no processes. Hand the data in.",
      from: { path: `^src/${either(["contract", "travel", "itinerary", "policy", "cases"])}/` },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "sql-in-one-place",
      severity: "error",
      comment: "Only the store and the queue talk to PostgreSQL; the app hands them their connections.",
      from: { path: "^src/", pathNot: `^src/${either(["store", "queue", "app"])}/` },
      to: { path: "node_modules/(@types/)?pg/" },
    },
    {
      name: "bullmq-in-one-place",
      severity: "error",
      comment: "Only the queue knows BullMQ; the store runs its migrations.",
      from: { path: "^src/", pathNot: `^src/${either(["queue", "store/database/migrator\\.ts"])}` },
      to: { path: "node_modules/(bullmq|ioredis)/" },
    },
    {
      name: "client-package-is-small",
      severity: "error",
      comment: "Who installs @skedchange/client gets undici and zod, and nothing of what a server needs.",
      from: { path: "^src/client/index\\.ts$" },
      to: { reachable: true, path: "node_modules/", pathNot: "node_modules/(undici|zod)/" },
    },
    {
      name: "no-async-hooks",
      severity: "error",
      comment:
        "One AsyncLocalStorage makes every promise of the process slower, by half on Node.js 20. Pass the value on.",
      from: { path: "^src/" },
      to: { path: "^(node:)?async_hooks$" },
    },
    {
      name: "no-cycles",
      severity: "error",
      comment: "Modules that import each other in a circle cannot be understood or tested one at a time.",
      from: {},
      to: { circular: true },
    },
    {
      name: "src-does-not-know-tests",
      severity: "error",
      comment: "What ships must not depend on tests, scripts or development dependencies.",
      from: { path: "^src/" },
      to: { path: "^(test|scripts|bench)/" },
    },
    {
      name: "dependencies-are-declared",
      severity: "error",
      comment: "A package that src imports must stand in the dependencies of package.json.",
      from: { path: "^src/", pathNot: "^src/dashboard/web/" },
      to: { dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"] },
    },
    {
      name: "imports-resolve",
      severity: "error",
      comment: "An import that leads nowhere.",
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    // TypeScript 7 has no compiler API, so without swc nothing at all is seen, and nothing is complained about.
    parser: "swc",
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    // Its swc parser cannot read JSX. The linter says early what pages may not import, and test/architecture/pages.test.ts
    // looks at what they are built of.
    exclude: { path: "^src/dashboard/web/" },
  },
};
