/** The gateway's local time is UTC. */
export function gatewayTime(at: Date): string {
  return at.toISOString().slice(0, 19);
}
