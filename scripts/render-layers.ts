/** What `.dependency-cruiser.js` exports besides its rules. */
export interface LayerTable {
  readonly layers: Readonly<Record<string, readonly string[]>>;
  readonly typesOf: Readonly<Record<string, readonly string[]>>;
  readonly top: readonly string[];
}

/** Every layer may import these, or nearly every one; arrows to them would only hide the others. */
const base = ["kernel", "config", "telemetry"];

/** Single files that a layer may import of others, which `.dependency-cruiser.js` names. */
const filesFor: Readonly<Record<string, readonly string[]>> = {
  store: ["`ports.ts` of the features"],
  connectors: ["`ports.ts` of the features"],
  config: ["`ways` of the receiver"],
};

/** The part of `docs/architecture.md` that says who may import whom, as a picture and as a table. */
export function renderLayers({ layers, typesOf, top }: LayerTable): string {
  const names = Object.keys(layers);
  const arrows = names.flatMap((name) => [
    ...(layers[name] ?? []).filter((target) => !base.includes(target)).map((target) => `  ${name} --> ${target}`),
    ...(typesOf[name] ?? []).map((target) => `  ${name} -. types .-> ${target}`),
  ]);
  const rows = names.map((name) => {
    const allowed = (layers[name] ?? []).map((target) => `\`${target}\``);
    const types = (typesOf[name] ?? []).map((target) => `types of \`${target}\``);
    const files = filesFor[name] ?? [];
    return `| \`${name}\` | ${[...allowed, ...types, ...files].join(", ") || "nothing"} |`;
  });
  return [
    "```mermaid",
    "flowchart TD",
    ...names.filter((name) => !base.includes(name)).map((name) => `  ${name}`),
    ...arrows,
    "```",
    "",
    `The picture leaves out ${base.map((name) => `\`${name}\``).join(", ")}, which lie below, and ${top
      .map((name) => `\`${name}\``)
      .join(" and ")}, which join everything.`,
    "",
    "| Folder of `src` | May import |",
    "|---|---|",
    ...rows,
    ...top.map((name) => `| \`${name}\` | everything |`),
    "",
  ].join("\n");
}
