import { existsSync, readFileSync } from "node:fs";

/** As in package.json: the name of a release, or of the development after the last one, such as 0.4.0-dev. */
export const packageVersion: string = readMember("../../package.json", "version");

/**
 * The version of this build. A development version also names the sources that it was compiled from, such as
 * 0.4.0-dev+1f0c2a9b4d5e, so that two different builds never have the same version.
 */
export const version: string = packageVersion.endsWith("-dev") ? `${packageVersion}+${sources()}` : packageVersion;

/** Written by `scripts/build.js`. Sources that are run without a build have none. */
function sources(): string {
  const build = "./build.json";
  return existsSync(new URL(build, import.meta.url)) ? readMember(build, "sources") : "sources";
}

function readMember(path: string, name: string): string {
  const values = JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8")) as {
    readonly [name: string]: string;
  };
  return values[name]!;
}
