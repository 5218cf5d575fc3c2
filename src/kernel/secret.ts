import { inspect } from "node:util";

const redacted = "[secret]";

/** A value that `String`, `JSON.stringify`, `console.log` and loggers show as `[secret]`. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** Call it only where the secret is used, never to store or show it. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return redacted;
  }

  toJSON(): string {
    return redacted;
  }

  [inspect.custom](): string {
    return redacted;
  }
}
