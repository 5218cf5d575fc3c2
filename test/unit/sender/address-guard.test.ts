import { describe, expect, test } from "vitest";
import { type AddressRules, createAddressGuard } from "../../../src/sender/address-guard.ts";

const strict: AddressRules = { allowHttp: false, allowedNetworks: [] };

function refusalOf(url: string, rules: Partial<AddressRules> = {}): string | undefined {
  return createAddressGuard({ ...strict, ...rules }).refuse(new URL(url))?.code;
}

/** Looks a name up whose server responds with these addresses. */
function look(addresses: readonly string[], rules: Partial<AddressRules> = {}, all = true): Promise<unknown> {
  const resolved = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  const resolve = (_name: string, _options: object, callback: (error: null, found: object[]) => void): void =>
    callback(null, resolved);
  const guard = createAddressGuard({ ...strict, ...rules }, resolve as never);
  return new Promise((settle, reject) => {
    guard.lookup("agency.example", { all }, (error, found) => (error === null ? settle(found) : reject(error)));
  });
}

describe("a URL", () => {
  test("must be https, unless http is allowed", () => {
    expect(refusalOf("https://agency.example/ocn")).toBeUndefined();
    expect(refusalOf("http://agency.example/ocn")).toBe("sender.https_required");
    expect(refusalOf("http://agency.example/ocn", { allowHttp: true })).toBeUndefined();
  });

  test.each([
    ["this host", "0.0.0.0", "1.0.0.0"],
    ["private 10/8", "10.255.255.255", "11.0.0.0"],
    ["shared by a carrier's NAT", "100.64.0.0", "100.128.0.0"],
    ["loopback", "127.0.0.1", "128.0.0.1"],
    ["link-local, with the metadata service", "169.254.169.254", "169.255.0.1"],
    ["private 172.16/12", "172.31.255.255", "172.32.0.0"],
    ["private 192.168/16", "192.168.0.1", "192.169.0.1"],
    ["benchmarking", "198.19.255.255", "198.20.0.0"],
    ["multicast and class E", "224.0.0.1", "223.255.255.255"],
    ["broadcast", "255.255.255.255", "8.8.8.8"],
    ["loopback v6", "[::1]", "[2606:4700::1111]"],
    ["unspecified v6", "[::]", "[2a00:1450::1]"],
    ["unique local", "[fd00::1]", "[2600::1]"],
    ["link-local v6", "[fe80::1]", "[2620::1]"],
    ["multicast v6", "[ff02::1]", "[2400::1]"],
    ["6to4, which embeds an IPv4 address", "[2002:7f00:1::1]", "[2003::1]"],
    ["Teredo", "[2001::1]", "[2001:4860::8888]"],
    ["local-use NAT64", "[64:ff9b:1::1]", "[2a01::1]"],
    ["a mapped private address", "[::ffff:10.0.0.1]", "[::ffff:8.8.8.8]"],
    ["NAT64 to a private address", "[64:ff9b::a00:1]", "[64:ff9b::808:808]"],
    ["an address in another notation", "2130706433", "134744072"],
    ["an address with few parts", "127.1", "8.2056"],
  ])("must not lead to an address that is %s", (_, forbidden, allowed) => {
    expect(refusalOf(`https://${forbidden}/ocn`)).toBe("sender.address_forbidden");
    expect(refusalOf(`https://${allowed}/ocn`)).toBeUndefined();
  });

  test("may lead into a network that is allowed, and no further", () => {
    const rules = { allowedNetworks: ["10.20.0.0/16", "fd00:1::/32"] };

    expect(refusalOf("https://10.20.255.255/", rules)).toBeUndefined();
    expect(refusalOf("https://[fd00:1::7]/", rules)).toBeUndefined();
    expect(refusalOf("https://[::ffff:10.20.0.1]/", rules)).toBeUndefined();
    expect(refusalOf("https://10.21.0.0/", rules)).toBe("sender.address_forbidden");
    expect(refusalOf("https://[fd00:2::7]/", rules)).toBe("sender.address_forbidden");
  });
});

describe("a name", () => {
  test("gives the addresses that were checked", async () => {
    expect(await look(["93.184.216.34", "2606:4700::1111"])).toEqual([
      { address: "93.184.216.34", family: 4 },
      { address: "2606:4700::1111", family: 6 },
    ]);
    expect(await look(["93.184.216.34"], {}, false)).toBe("93.184.216.34");
  });

  test("is refused when one of its addresses is forbidden, and the message names both", async () => {
    await expect(look(["93.184.216.34", "10.0.0.5"])).rejects.toMatchObject({
      code: "sender.address_forbidden",
      message: expect.stringMatching(/^agency\.example \(10\.0\.0\.5\) is not a public address/),
    });
    await expect(look(["93.184.216.34", "10.0.0.5"], { allowedNetworks: ["10.0.0.0/24"] })).resolves.toHaveLength(2);
  });
});
