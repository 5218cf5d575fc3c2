import { BlockList, isIP } from "node:net";

/** @returns the problem of a network in CIDR notation, or null if valid */
export function networkProblem(network: string): string | null {
  try {
    toNetworkSet([network]);
    return null;
  } catch {
    return `'${network}' is no network such as 10.20.0.0/16 or fd00:1::/32`;
  }
}

/**
 * @param networks in CIDR notation.
 * @throws RangeError for what is none
 */
export function toNetworkSet(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", prefix = "", ...rest] = network.split("/");
    const version = isIP(address);
    if (version === 0 || rest.length > 0 || !/^\d{1,3}$/.test(prefix)) throw new RangeError(network);
    list.addSubnet(address, Number(prefix), version === 4 ? "ipv4" : "ipv6");
  }
  return list;
}
