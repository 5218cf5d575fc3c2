/** A local date and time of the gateway, whose clock shows UTC. */
export function gatewayTime(at: Date): string {
  return at.toISOString().slice(0, 19);
}
