/** Code of a source that cannot be served. */
export const unusableSource = "receiver.unusable_source";
