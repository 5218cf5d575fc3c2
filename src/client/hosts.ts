import type { Operation } from "../contract/operations/operation.ts";
import type { Logger } from "../telemetry/logger.ts";
import { type CallSlots, type ConcurrencyOptions, createCallSlots } from "./call-slots.ts";
import { type Circuit, createCircuit, neverOpen } from "./circuit.ts";
import { defaultCircuit, type GatewayClientOptions } from "./client-options.ts";
import { createTransport, type Transport } from "./transport.ts";

/** Failures of one host do not affect another. */
export interface Host {
  /** Without scheme and port. */
  readonly address: string;
  readonly transport: Transport;
  readonly slots: CallSlots;
  readonly circuit: Circuit;
}

export interface Hosts {
  of(operation: Pick<Operation, "host">): Host;
  close(): Promise<void>;
}

export function openHosts(options: GatewayClientOptions, concurrency: ConcurrencyOptions, logger: Logger): Hosts {
  const base = openHost(options.baseUrl);
  const { voidBaseUrl = options.baseUrl } = options;
  const forVoids = voidBaseUrl === options.baseUrl ? base : openHost(voidBaseUrl);

  return {
    of: ({ host }) => (host === "void" ? forVoids : base),
    close: async () => {
      await Promise.all([base.transport.close(), forVoids.transport.close()]);
    },
  };

  function openHost(baseUrl: string): Host {
    const circuit = options.circuit === undefined ? defaultCircuit : options.circuit;
    const gateway = new URL(baseUrl).origin;
    return {
      address: new URL(baseUrl).hostname,
      transport: createTransport({ baseUrl, apiKey: options.apiKey ?? null, connectionsMax: concurrency.callsMax }),
      slots: createCallSlots(concurrency),
      circuit:
        circuit === null
          ? neverOpen
          : createCircuit(circuit, (openedBy) => {
              if (openedBy === null) logger.info({ gateway }, "gateway.circuit_closed");
              else logger.warn({ gateway, code: openedBy.code, openMs: circuit.openMs }, "gateway.circuit_opened");
            }),
    };
  }
}
