import { lookup as lookUpName } from "node:dns";
import { type BlockList, isIP, type LookupFunction } from "node:net";
import { AppError } from "../kernel/app-error.ts";
import { privateNetworks, toNetworkSet } from "../kernel/networks.ts";

/** Prevents server-side request forgery: a URL must not reach hosts that only we can reach. */
export interface AddressRules {
  /** Credentials are then sent unencrypted. */
  readonly allowHttp: boolean;
  /** Non-public networks (CIDR) that are allowed: on-premises recipients, tests. */
  readonly allowedNetworks: readonly string[];
}

export interface AddressGuard {
  /** Returns null if the URL itself is allowed; does not look it up. */
  refuse(url: URL): AppError | null;
  /**
   * Looks a name up once per connection and returns only checked addresses, so a later change of the name has no
   * effect. One forbidden address refuses the name.
   */
  readonly lookup: LookupFunction;
}

export const addressErrors = {
  httpsRequired: "sender.https_required",
  forbidden: "sender.address_forbidden",
} as const;

/**
 * @see IANA special-purpose address registries (RFC 6890); RFC 6598 (shared addresses), RFC 7526 and RFC 4380 (6to4 and
 * Teredo, which embed IPv4 addresses), RFC 8215 (local-use NAT64)
 */
const forbiddenNetworks = [
  ...privateNetworks,
  ...["0.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24"],
  ...["198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"],
  ...["::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20", "5f00::/16"],
  ...["fec0::/10", "ff00::/8"],
];

export function createAddressGuard(rules: AddressRules, resolve: typeof lookUpName = lookUpName): AddressGuard {
  const forbidden = toNetworkSet(forbiddenNetworks);
  const allowed = toNetworkSet(rules.allowedNetworks);
  const isForbidden = (address: string): boolean => isIn(forbidden, address) && !isIn(allowed, address);

  return {
    refuse(url) {
      if (url.protocol !== "https:" && !rules.allowHttp) {
        return new AppError(
          addressErrors.httpsRequired,
          `${url.origin} is not https, and credentials must not go over the network in the open. Use https, or set RECIPIENT_ALLOW_HTTP=1 for a network that nobody else is on.`,
        );
      }
      const host = url.hostname.replace(/^\[|\]$/g, "");
      return isIP(host) !== 0 && isForbidden(host) ? forbiddenAddress(host, host) : null;
    },

    lookup(hostname, options, callback) {
      resolve(hostname, { ...options, all: true }, (error, addresses) => {
        const bad = error === null ? addresses.find(({ address }) => isForbidden(address)) : undefined;
        const refusal = bad === undefined ? error : forbiddenAddress(hostname, bad.address);
        if (refusal !== null) callback(refusal, []);
        else if (options.all === true) callback(null, addresses);
        else callback(null, addresses[0]!.address, addresses[0]!.family);
      });
    },
  };
}

/** Also checks the IPv4 address inside an IPv6 one, mapped (RFC 4291) or through NAT64 (RFC 6052). */
function isIn(list: BlockList, address: string): boolean {
  if (isIP(address) === 4) return list.check(address, "ipv4");
  const embedded = embeddedAddress(address);
  return embedded === null ? list.check(address, "ipv6") : list.check(embedded, "ipv4");
}

const mapped = toNetworkSet(["::ffff:0:0/96"]);
const translated = toNetworkSet(["64:ff9b::/96"]);

function embeddedAddress(address: string): string | null {
  const isEmbedded = mapped.check(address, "ipv6") || translated.check(address, "ipv6");
  if (!isEmbedded) return null;
  const dotted = /(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1];
  if (dotted !== undefined) return dotted;
  // The URL parser normalises IPv6 addresses to their shortest hexadecimal form.
  const groups = new URL(`http://[${address.replace(/%.*$/, "")}]/`).hostname.slice(1, -1).split(":");
  const [high, low] = groups.slice(-2).map((group) => Number.parseInt(group || "0", 16));
  return [high! >> 8, high! & 255, low! >> 8, low! & 255].join(".");
}

function forbiddenAddress(host: string, address: string): AppError {
  const where = host === address ? address : `${host} (${address})`;
  return new AppError(
    addressErrors.forbidden,
    `${where} is not a public address, and nothing is sent there. Use another URL, or allow its network in RECIPIENT_ALLOWED_NETWORKS.`,
  );
}
