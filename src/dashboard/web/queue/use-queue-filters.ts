import { useState } from "react";
import { useSearchParams } from "wouter";
import { useSession } from "../api/session.ts";
import { addressOf, type QueueFilters, readFilters } from "./queue-filters.ts";

/** For coming back from a case. In memory only, and not for the next user of this screen. */
let lastSearch = { username: "", q: "" };

/** An address without filters shows those that people change every day as the user left them last. */
export function useQueueFilters(): [QueueFilters, (change: Partial<QueueFilters>) => void] {
  const { user } = useSession();
  const [address, setParameters] = useSearchParams();
  const remembered = `skedchange.queue.${user.username}`;
  const parameters = address.size > 0 ? address : new URLSearchParams(localStorage.getItem(remembered) ?? "");
  const [q, setSearch] = useState(address.get("q") ?? (lastSearch.username === user.username ? lastSearch.q : ""));
  const filters: QueueFilters = { ...readFilters(parameters), q };
  const change = (changes: Partial<QueueFilters>): void => {
    if (changes.q !== undefined) {
      lastSearch = { username: user.username, q: changes.q };
      setSearch(changes.q);
    }
    const changed = { ...filters, ...changes };
    const { show, queue, source, assignee, overdue, order } = changed;
    localStorage.setItem(remembered, addressOf({ show, queue, source, assignee, overdue, order }));
    setParameters(new URLSearchParams(addressOf(changed)), { replace: true });
  };
  return [filters, change];
}
