/** What a reader of a page types, and what they see then. */
export interface Step {
  readonly commands: string;
  /** It goes on in a terminal of its own. */
  readonly isServer: boolean;
  /** Texts that are printed. */
  readonly seen: readonly string[];
}

/** The blocks `sh` and `sh server` of a page, each with the lines of the block `text` that follows it. */
export function readSteps(page: string): readonly Step[] {
  const blocks = [...page.matchAll(/^( *)```(sh|sh server|text)\n(.*?)^ *```$/gms)].map(
    ([, indent = "", kind, body = ""]) => ({
      kind,
      body: body.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
    }),
  );
  return blocks.flatMap(({ kind, body }, index) => {
    if (kind === "text") return [];
    const next = blocks[index + 1];
    const seen = next?.kind === "text" ? next.body.trim().split("\n") : [];
    return [{ commands: body, isServer: kind === "sh server", seen }];
  });
}

/** The sections of a page below the headings of one level, in their order. */
export function readSections(page: string, level: number): ReadonlyMap<string, string> {
  const [, ...parts] = page.split(new RegExp(`^${"#".repeat(level)} `, "m"));
  const ofHigherLevel = new RegExp(`^#{2,${level}} `, "m");
  return new Map(
    parts.map((part) => {
      const [heading = "", ...lines] = part.split("\n");
      return [heading, lines.join("\n").split(ofHigherLevel)[0]!];
    }),
  );
}
