/** Errors of the store, as stable codes of `AppError`. */
export const storeErrors = {
  /** No PostgreSQL binaries run on this machine, or the server's user can't run them. */
  embeddedUnavailable: "store.embedded_unavailable",
  /** The process is root, and there is no other user for the embedded server. */
  embeddedUserMissing: "store.embedded_user_missing",
  /** The embedded server did not start. The message contains the end of its log. */
  embeddedFailed: "store.embedded_failed",
  /** Another live process of Skedchange uses the data. */
  dataInUse: "store.data_in_use",
  /** The server's user can't use the data folder. */
  dataUnreachable: "store.data_unreachable",
  /** Another major version of PostgreSQL wrote the data. */
  dataVersion: "store.data_version",
  /** The database has migrations that this version of Skedchange does not know. */
  schemaNewer: "store.schema_newer",
  /** The database lacks migrations that this version of Skedchange needs. */
  schemaOlder: "store.schema_older",
  /** An applied migration was changed or removed. */
  migrationEdited: "store.migration_edited",
  /** A migration failed and was rolled back. */
  migrationFailed: "store.migration_failed",
  /** The owner role lacks a right that a migration needs. */
  ownerLacksRights: "store.owner_lacks_rights",
  /** The process does not know the encoding or key of a stored body, or the body is damaged. */
  cannotOpen: "store.cannot_open",
  /** The OrderID is too long for a PostgreSQL index. */
  orderIdTooLong: "store.order_id_too_long",
} as const;
