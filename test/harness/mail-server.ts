import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { makeTestAuthority } from "./certificates.ts";

export interface ReceivedMail {
  readonly to: readonly string[];
  /** As it came over the network. */
  readonly raw: string;
  readonly isEncrypted: boolean;
}

/** A real mail server on the loopback. */
export interface MailServer {
  readonly url: string;
  /** The certificate (PEM) that signed the server's. */
  readonly authority: string;
  readonly mails: readonly ReceivedMail[];
  /** Called before a mail is taken; an error refuses it. Default: takes all. */
  onMail: (mail: ReceivedMail) => void | Promise<void>;
  /** Addresses that are refused. */
  readonly refused: Set<string>;
  close(): Promise<void>;
}

export async function startMailServer(options: { readonly offersTls?: boolean } = {}): Promise<MailServer> {
  const { offersTls = true } = options;
  const authority = await makeTestAuthority();
  const { certificate, privateKey } = await authority.sign("localhost");
  const mails: ReceivedMail[] = [];
  const refused = new Set<string>();
  const server = new SMTPServer({
    key: privateKey,
    cert: certificate,
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: offersTls ? [] : ["STARTTLS"],
    onAuth: (auth, _session, done) =>
      auth.username === "agency" && auth.password === "p@ss"
        ? done(null, { user: "agency" })
        : done(new Error("wrong credentials")),
    onRcptTo: ({ address }, _session, done) => done(refused.has(address) ? new Error("no such mailbox") : null),
    onData: async (stream, session, done) => {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk as Buffer);
      const to = session.envelope.rcptTo.map(({ address }) => address);
      const mail = { to, raw: Buffer.concat(chunks).toString("utf8"), isEncrypted: session.secure };
      try {
        await started.onMail(mail);
        mails.push(mail);
        done();
      } catch (error) {
        done(error as Error);
      }
    },
  });
  server.on("error", () => {});
  const listening = server.listen(0, "127.0.0.1");
  await once(listening, "listening");
  const { port } = listening.address() as AddressInfo;
  const started: MailServer = {
    url: `smtp://agency:p%40ss@localhost:${port}`,
    authority: authority.certificate,
    mails,
    onMail: () => {},
    refused,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return started;
}
