/** What can go wrong in the store, as stable codes of `AppError`. */
export const storeErrors = {
  /** There are no PostgreSQL binaries that run on this machine, or the server's user cannot run them. */
  embeddedUnavailable: "store.embedded_unavailable",
  /** We are root, and there is no other user to run the embedded server as. */
  embeddedUserMissing: "store.embedded_user_missing",
  /** The embedded server did not start; the message carries the end of its log. */
  embeddedFailed: "store.embedded_failed",
  /** Another live process of Skedchange uses the same data. */
  dataInUse: "store.data_in_use",
  /** The folder with the data cannot be used by the user that must use it. */
  dataUnreachable: "store.data_unreachable",
  /** The data was written by another major version of PostgreSQL. */
  dataVersion: "store.data_version",
  /** The database holds migrations that this version of Skedchange does not know. */
  schemaNewer: "store.schema_newer",
  /** The database lacks migrations that this version of Skedchange needs. */
  schemaOlder: "store.schema_older",
  /** A migration that was applied has been changed or removed since. */
  migrationEdited: "store.migration_edited",
  /** A migration file did not apply; its transaction was rolled back. */
  migrationFailed: "store.migration_failed",
  /** The owner role may not do what a migration needs. */
  ownerLacksRights: "store.owner_lacks_rights",
  /** A stored body was sealed in a way, or with a key, that this process does not know; or it is damaged. */
  cannotOpen: "store.cannot_open",
  /** An OrderID that no index of PostgreSQL can hold. */
  orderIdTooLong: "store.order_id_too_long",
} as const;
