// Compiles `src` to `dist`, copies what is not TypeScript (SQL, policies, data tables) and the viewer of the API description
// beside it, builds the pages of the dashboard, and lets `npx skedchange` find the command.
import { spawnSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { digestOfSources } from "./digest-of-sources.js";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const dist = join(root, "dist");
const pages = join(root, "src", "dashboard", "web");
const viewer = fileURLToPath(import.meta.resolve("rapidoc/dist/rapidoc-min.js"));

rmSync(dist, { recursive: true, force: true });
// `npm run typecheck` checks the types, of the tests as well; checking them here too would double the time.
run("typescript/bin/tsc", ["-p", join(root, "tsconfig.build.json"), "--noCheck"]);

cpSync(join(root, "src"), dist, {
  recursive: true,
  filter: (source) => !/\.tsx?$/.test(source) && source !== pages,
});
// What shows the API description at /docs; see docs/decisions/0006-rapidoc-shows-the-api.md.
for (const file of ["rapidoc-min.js", "rapidoc-min.js.LICENSE.txt"]) {
  cpSync(join(dirname(viewer), file), join(dist, "app", file));
}
run("vite/bin/vite.js", ["build", pages, "--logLevel", "warn"]);
compressBeside(join(dist, "dashboard", "web", "assets"));
// By which the version of a development build differs from others: see src/app/version.ts.
writeFileSync(join(dist, "app", "build.json"), `${JSON.stringify({ sources: digestOfSources(root) })}\n`);
linkCommand(join(root, "node_modules", ".bin", "skedchange"));

/**
 * As npm does for packages that are installed. A `bin` in the project's own package.json would let `npx` copy the whole
 * project into npm's cache first, which takes half a minute; the packed package gets one (see `prepack`).
 */
function linkCommand(path) {
  if (process.platform === "win32") {
    writeFileSync(`${path}.cmd`, '@node "%~dp0\\..\\..\\bin\\skedchange.js" %*\r\n');
    return;
  }
  rmSync(path, { force: true });
  symlinkSync(join("..", "..", "bin", "skedchange.js"), path);
}

/** Once and as well as possible, instead of for each reader: the server sends the file that a browser can read. */
function compressBeside(folder) {
  for (const file of readdirSync(folder)) {
    const bytes = readFileSync(join(folder, file));
    if (bytes.length < 1024) continue;
    const length = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    writeFileSync(join(folder, `${file}.br`), brotliCompressSync(bytes, { params: length }));
    writeFileSync(join(folder, `${file}.gz`), gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }));
  }
}

function run(program, options) {
  // A test that builds has NODE_ENV=test, and would get the development build of React.
  const env = { ...process.env, NODE_ENV: "production" };
  const ended = spawnSync(process.execPath, [join(root, "node_modules", program), ...options], {
    stdio: "inherit",
    env,
  });
  if (ended.status !== 0) process.exit(ended.status ?? 1);
}
