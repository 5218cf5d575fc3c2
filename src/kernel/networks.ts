import { BlockList, isIP, isIPv6 } from "node:net";

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

/** A name or an address that only this machine answers to; IPv6 also in brackets, as in URLs. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || /^\[?::1\]?$/.test(host) || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}

/**
 * The networks of organisations and links, whose operators say who is in them.
 *
 * @see RFC 1918, RFC 4193 (unique local addresses), RFC 4291 section 2.5.6 (link-local addresses)
 */
export const privateNetworks: readonly string[] = [
  "10.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "fc00::/7",
  "fe80::/10",
];

const privateNetworkSet = toNetworkSet(privateNetworks);

/** Whether a host, as in URLs, is an address of a private network. A name never is, whatever it looks like. */
export function isPrivateAddress(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, "");
  // An IPv4 address within an IPv6 one is compared as what it is.
  return isIP(address) !== 0 && privateNetworkSet.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}

/** An IPv4 address as IPv4, also if a socket for both versions wrote it as IPv6. */
export function withoutMapping(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}

/**
 * Returns what limits count for an address: the address itself, or the first 64 bits of an IPv6 address, because whoever
 * has one of a network has all of it.
 */
export function networkOf(address: string): string {
  const unmapped = withoutMapping(address);
  const plain = unmapped.replace(/%.*$/, "").toLowerCase();
  if (!isIPv6(plain)) return unmapped;
  const [head = "", tail] = plain.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...Array.from({ length: zeros }, () => "0"), ...right];
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":");
}
