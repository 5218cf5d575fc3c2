/** How often the parent is looked at: a stop through npm begins at most this much later than a direct one. */
const lookEveryMs = 250;

/**
 * Calls `onGone` once the npm or npx that runs this process has ended. npm runs a script through a shell, and a SIGTERM
 * that reaches npm alone, from `kill` or from a supervisor, ends npm and that shell but not us: a server would go on that
 * nobody knows of, and the next start would find its ports and its data in use. Without npm nothing is watched, so that
 * a server may outlive whatever else has started it.
 *
 * @param readParent the id of the parent process; it changes when the parent ends.
 * @returns ends the watch.
 */
export function watchNpm(
  environment: Readonly<Record<string, string | undefined>>,
  onGone: () => void,
  readParent: () => number = () => process.ppid,
): () => void {
  if (environment["npm_lifecycle_event"] === undefined) return () => {};
  const parent = readParent();
  const timer = setInterval(() => {
    if (readParent() === parent) return;
    clearInterval(timer);
    onGone();
  }, lookEveryMs);
  // The watch alone is no reason to live.
  timer.unref();
  return () => clearInterval(timer);
}
