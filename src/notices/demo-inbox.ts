import type { Clock } from "../kernel/clock.ts";
import type { NoticeChannels } from "./channels.ts";
import type { NoticeText } from "./describe-notice.ts";
import type { NoticeChannel } from "./ports.ts";

export interface CaughtNotice {
  readonly at: Date;
  readonly channel: NoticeChannel;
  readonly to: string;
  readonly text: NoticeText;
}

/** Holds what demo mode would send, newest first. */
export interface DemoInbox extends NoticeChannels {
  readonly list: () => readonly CaughtNotice[];
}

const storedMax = 50;

export function createDemoInbox(clock: Clock): DemoInbox {
  const caught: CaughtNotice[] = [];
  return {
    async send(destination, text) {
      const to =
        destination.type === "email" ? destination.addresses.join(", ") : new URL(destination.webhookUrl.reveal()).host;
      caught.unshift({ at: clock.now(), channel: destination.type, to, text });
      caught.length = Math.min(caught.length, storedMax);
      return null;
    },
    list: () => caught,
  };
}
