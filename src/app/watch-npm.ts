/** Limits how much later a stop through npm begins. */
const lookEveryMs = 250;

/**
 * A SIGTERM to npm ends npm and its shell but not us, and the next start would find its ports and data in use. Without
 * npm nothing is watched, so a server may outlive its starter.
 * @param readParent the parent's process id, which changes when the parent ends
 * @returns ends the watch
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
  // The watch must not keep the process alive.
  timer.unref();
  return () => clearInterval(timer);
}
