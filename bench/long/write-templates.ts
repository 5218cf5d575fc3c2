import { setTimeout as sleep } from "node:timers/promises";
import type { BenchDatabase } from "../database.ts";
import { type DecideParts, pushTarget } from "../decide/contenders.ts";
import { decidingSettings, startDecider } from "../decide/decide.ts";
import { startSender } from "../deliver/deliver.ts";
import type { RecipientCalls } from "../deliver/recipient-process.ts";
import { orderIdOf } from "../notifications.ts";
import { startProduct } from "../product-process.ts";
import type { RemoteProcess } from "../remote-process.ts";
import type { TemplateOrders } from "./fill-database.ts";

/** No order that anything else here is about. */
const waitingOrder = 9_000_001;
const patienceMs = 30_000;
const firstTime = { seconds: 1, perSecond: null } as const;

/** Lets the product decide, leave to an agent, and deliver some orders, as templates of many. */
export async function writeTemplates(
  parts: DecideParts & { readonly recipient: RemoteProcess<RecipientCalls> },
  database: BenchDatabase,
): Promise<TemplateOrders> {
  const decider = await startDecider(parts, database, "templates");
  const decided = await decider.contender.work(firstTime);
  await untilTrue(database, "every audit entry is chained", everythingIsChained);
  await decider.stop();
  await leaveToAgent(parts, database);
  const sender = await startSender(parts.recipient, database, "templates");
  const delivered = await sender.contender.work(firstTime);
  await sender.stop();
  return {
    done: orderIdOf(decided.first),
    waiting: orderIdOf(waitingOrder),
    delivered: orderIdOf(delivered.first),
  };
}

const everythingIsChained = `not exists (
  select from (select id from skedchange.audit_entries union all select id from skedchange.audited_lines) e
  where id > (select last_id from skedchange.audit_progress)
)`;

/** By a policy that only recommends. */
async function leaveToAgent({ gateway, load, gatewayUrl }: DecideParts, database: BenchDatabase): Promise<void> {
  const product = await startProduct({
    ...database.environment,
    ...decidingSettings(gatewayUrl),
    ROLES: "receiver,worker",
    POLICY_FILE: "observe-only",
  });
  await load.call("push", {
    ...pushTarget(product.agencyUrl),
    connections: 1,
    firstOrder: waitingOrder,
    bodies: "minor-delay",
    until: { count: 1 },
  });
  await untilTrue(
    database,
    "the case waits for an agent, and every audit entry is chained",
    `exists (select from skedchange.cases where order_id = '${orderIdOf(waitingOrder)}' and state = 'awaiting-agent')
     and ${everythingIsChained}`,
  );
  await product.stop();
  await gateway.call("takeJournal", { first: waitingOrder, count: 1 });
}

async function untilTrue({ database }: BenchDatabase, what: string, condition: string): Promise<void> {
  const giveUpAt = performance.now() + patienceMs;
  for (;;) {
    const { rows } = await database.pool.query<{ holds: boolean }>(`select ${condition} as holds`);
    if (rows[0]!.holds) return;
    if (performance.now() > giveUpAt) throw new Error(`After ${patienceMs / 1_000} s it is not so that ${what}.`);
    await sleep(100);
  }
}
