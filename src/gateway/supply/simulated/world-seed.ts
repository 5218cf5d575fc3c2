/** Shared, so that scenarios change flights that the gateway sells. */
export const worldSeed = "skedchange";
