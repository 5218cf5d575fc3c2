const byPeople: Readonly<Record<string, string>> = {
  "ocn.too_many_orders": "Once OCN_ORDER_LIMIT is raised, reprocess it.",
  "receiver.body_not_readable": "Once the cause that the log names is gone, reprocess it.",
};

/**
 * Says what people can do about a notification in quarantine, by the code of its problem. Its bytes never change, so
 * reading them again helps only if something else has changed.
 */
export function whatHelps(code: string): string {
  return (
    byPeople[code] ??
    "The sender has to send it otherwise: tell them. Reprocess it once a newer version of Skedchange can read it, or discard it."
  );
}
