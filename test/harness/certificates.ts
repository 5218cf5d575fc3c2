import { createPrivateKey, webcrypto } from "node:crypto";
import {
  BasicConstraintsExtension,
  type Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from "@peculiar/x509";

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const dayMs = 24 * 3_600_000;

type CryptoKeyPair = webcrypto.CryptoKeyPair;

/** A certificate with its private key, in PEM. */
export interface TestCertificate {
  readonly certificate: string;
  readonly privateKey: string;
}

/** A certificate authority of one test. */
export interface TestAuthority {
  /** In PEM. */
  readonly certificate: string;
  /** @param days until it expires; below zero it has expired already. */
  sign(host: string, days?: number): Promise<TestCertificate>;
}

/** Makes a certificate authority. Node.js reads certificates and makes none, and not every machine has OpenSSL. */
export async function makeTestAuthority(): Promise<TestAuthority> {
  const keys = await makeKeys();
  const authority = await generate({
    subject: "CN=Test CA",
    keys,
    signingKey: keys.privateKey,
    extensions: [
      new BasicConstraintsExtension(true, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true),
    ],
  });
  return {
    certificate: authority.toString("pem"),
    sign: async (host, days) => {
      const own = await makeKeys();
      const options = { keys: own, issuer: authority.subject, signingKey: keys.privateKey, ...hostNamed(host) };
      return await withKey(await generate(days === undefined ? options : { ...options, days }), own);
    },
  };
}

/** A certificate that nobody has signed but its own key. */
export async function makeSelfSigned(host: string): Promise<TestCertificate> {
  const keys = await makeKeys();
  return await withKey(await generate({ keys, signingKey: keys.privateKey, ...hostNamed(host) }), keys);
}

function hostNamed(host: string) {
  return { subject: `CN=${host}`, extensions: [new SubjectAlternativeNameExtension([{ type: "dns", value: host }])] };
}

async function makeKeys(): Promise<CryptoKeyPair> {
  return await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
}

async function generate(options: {
  readonly subject: string;
  readonly issuer?: string;
  readonly keys: CryptoKeyPair;
  readonly signingKey: CryptoKeyPair["privateKey"];
  readonly days?: number;
  readonly extensions: Extension[];
}): Promise<X509Certificate> {
  const { subject, issuer = subject, keys, signingKey, days = 30, extensions } = options;
  const now = Date.now();
  return await X509CertificateGenerator.create(
    {
      subject,
      issuer,
      notBefore: new Date(now - 60 * dayMs),
      notAfter: new Date(now + days * dayMs),
      publicKey: keys.publicKey,
      signingKey,
      signingAlgorithm: algorithm,
      extensions,
    },
    webcrypto,
  );
}

async function withKey(certificate: X509Certificate, { privateKey }: CryptoKeyPair): Promise<TestCertificate> {
  const key = Buffer.from(await webcrypto.subtle.exportKey("pkcs8", privateKey));
  const pem = createPrivateKey({ key, format: "der", type: "pkcs8" }).export({ format: "pem", type: "pkcs8" });
  return { certificate: certificate.toString("pem"), privateKey: pem.toString() };
}
