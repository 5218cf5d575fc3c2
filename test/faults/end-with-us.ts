import { type ChildProcess, spawn } from "node:child_process";

/** Has a process killed when this one is gone, however it ended: then the watchman's input closes. Also when it is stopped. */
export function endWithUs(child: ChildProcess): void {
  const watchman = spawn("sh", ["-c", `cat >/dev/null; kill -9 ${child.pid} 2>/dev/null`], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  watchman.unref();
  child.once("exit", () => watchman.kill("SIGKILL"));
}
