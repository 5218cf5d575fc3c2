// Follows docs/one-machine.md with two versions, from nothing to a restored backup, in folders and on ports of its own:
//
//     npm run one-machine                         # from the last release to the work tree
//     npm run one-machine -- v0.4.0 .             # tags, commits, tarballs of `npm pack`, or `.` for the work tree
import { followOneMachine } from "../test/e2e/one-machine.ts";
import { buildDistIfStale } from "../test/harness/build-dist.ts";
import { lastRelease } from "../test/harness/pack-package.ts";

const [from = lastRelease, to = "."] = process.argv.slice(2);
buildDistIfStale();
await followOneMachine(from, to, (line) => console.log(line));
