import { useRead } from "../api/hooks.ts";
import { Callout } from "./callouts.tsx";

const intervalMs = 30_000;

/** Says that nothing of this page is sent, while no process with the role sender runs. */
export function NoSender({ sends }: { readonly sends: string }) {
  const processes = useRead("GET /processes", {}, { refetchInterval: intervalMs });
  if (processes.data === undefined || processes.data.items.some(({ roles }) => roles.includes("sender"))) return null;
  return (
    <Callout tone="warn" title={`No sender runs, so no ${sends} is sent`}>
      <p>
        Nothing is lost: what waits is sent once a process runs with <code>sender</code> in <code>ROLES</code>.
      </p>
    </Callout>
  );
}
