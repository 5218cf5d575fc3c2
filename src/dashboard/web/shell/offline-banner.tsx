import "./offline-banner.css";
import { useSyncExternalStore } from "react";
import { connection, type Outage } from "../api/connection.ts";
import { When } from "../components/when.tsx";

/** Returns null while the server can be reached. */
export function useOutage(): Outage | null {
  return useSyncExternalStore(connection.subscribe, connection.outage);
}

/** On every page while the server cannot be reached. It disappears by itself. */
export function OfflineBanner() {
  const outage = useOutage();
  if (outage === null) return null;
  return (
    <section className="offline-banner" aria-label="Offline">
      <p role="status">
        <strong>Offline: the server cannot be reached.</strong> What you see is from{" "}
        <When at={outage.lastResponseAt.toISOString()} />. Nothing can be changed until the connection is back; this
        page checks every few seconds.
      </p>
    </section>
  );
}
