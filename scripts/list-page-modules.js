// Prints the paths of all modules that the pages consist of, as vite builds them.
import { fileURLToPath } from "node:url";
import { build } from "vite";

const configFile = fileURLToPath(new URL("../src/dashboard/web/vite.config.js", import.meta.url));
const built = await build({ configFile, logLevel: "error", build: { write: false, minify: false } });
const outputs = (Array.isArray(built) ? built : [built]).flatMap(({ output }) => output);
const modules = outputs.flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
console.log(JSON.stringify(modules.filter((path) => !path.includes("node_modules") && path.startsWith("/"))));
