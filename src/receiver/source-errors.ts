export const unusableSource = "receiver.unusable_source";
