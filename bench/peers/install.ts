import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("./", import.meta.url));

/** Packages are found from here. */
export const packagesOfPeers = `${folder}package.json`;

/** Installs the packages that `package.json` of this folder names, unless they are there. Needs the registry of npm. */
export function installPeers(): void {
  const { dependencies } = readPackage("package.json");
  const missing = Object.entries(dependencies ?? {}).filter(
    ([name, version]) => readPackage(`node_modules/${name}/package.json`).version !== version,
  );
  if (missing.length === 0) return;
  const install = spawnSync("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--no-package-lock"], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (install.status !== 0) {
    const names = missing.map(([name, version]) => `${name}@${version}`).join(" and ");
    throw new Error(`${names} cannot be installed into ${folder}: see the lines of npm above. Or leave --peers out.`);
  }
}

interface Package {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

function readPackage(path: string): Package {
  const file = `${folder}${path}`;
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Package) : {};
}
