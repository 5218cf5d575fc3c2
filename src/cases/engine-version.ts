/**
 * The version of the checks and of the evaluation of policies. It goes up with every change after which the same facts may
 * be decided otherwise by the same policy, or for other reasons. Kept with each decision; decisions from before have none.
 */
export const engineVersion = "2";
