/** Seed of the world that the gateway serves, so that scenarios change flights which it sells. */
export const worldSeed = "skedchange";
