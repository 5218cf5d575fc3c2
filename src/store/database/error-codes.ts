export const storeErrors = {
  /** No PostgreSQL binaries run on this machine, or the server's user can't run them. */
  embeddedUnavailable: "store.embedded_unavailable",
  /** The process is root, and there is no other user for the embedded server. */
  embeddedUserMissing: "store.embedded_user_missing",
  /** The embedded server did not start. The message contains the end of its log. */
  embeddedFailed: "store.embedded_failed",
  dataInUse: "store.data_in_use",
  /** The server's user can't use the data folder. */
  dataUnreachable: "store.data_unreachable",
  dataVersion: "store.data_version",
  schemaNewer: "store.schema_newer",
  schemaOlder: "store.schema_older",
  migrationEdited: "store.migration_edited",
  migrationFailed: "store.migration_failed",
  /** The owner role lacks a right that a migration needs. */
  ownerLacksRights: "store.owner_lacks_rights",
  /** The process does not know the encoding or key of a stored body, or the body is damaged. */
  cannotOpen: "store.cannot_open",
  /** The OrderID is too long for a PostgreSQL index. */
  orderIdTooLong: "store.order_id_too_long",
} as const;
