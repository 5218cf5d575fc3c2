export const storeErrors = {
  /** No PostgreSQL binaries run on this machine, or the server's user can't run them. */
  embeddedUnavailable: "store.embedded_unavailable",
  /** The process is root, and there is no other user for the embedded server. */
  embeddedUserMissing: "store.embedded_user_missing",
  embeddedFailed: "store.embedded_failed",
  dataInUse: "store.data_in_use",
  /** Another process took over the embedded server while this one runs. */
  dataTakenOver: "store.data_taken_over",
  dataUnreachable: "store.data_unreachable",
  dataVersion: "store.data_version",
  schemaNewer: "store.schema_newer",
  schemaOlder: "store.schema_older",
  /** Older than the last release, so only that one can take it over. */
  schemaTooOld: "store.schema_too_old",
  /** Made by a version between two releases. */
  schemaUnreleased: "store.schema_unreleased",
  migrationEdited: "store.migration_edited",
  migrationFailed: "store.migration_failed",
  ownerLacksRights: "store.owner_lacks_rights",
  bodyDeleted: "store.body_deleted",
  orderIdTooLong: "store.order_id_too_long",
} as const;
