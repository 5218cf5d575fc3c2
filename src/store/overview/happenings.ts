import { timeBucketsPerDoubling } from "../../dashboard/overview-ports.ts";
import { refundedAmount } from "../cases/refunded-amount.ts";
import { type Sql, sql } from "../database/sql.ts";

export interface Span {
  readonly from: Date;
  readonly to: Date;
}

/**
 * What happened in some spans of time, as rows (hour, source, figure, name, part, value) that add up to the figures of
 * `OverviewSum`. Each row rests on what is never changed afterwards, so the sums of an hour that has passed are final.
 */
export function happenings(spans: readonly Span[]): Sql {
  // As constants: the planner takes a join with the spans for a tenth of all rows, and reads whole tables.
  const isWithin = (at: Sql) => {
    const each = spans.map(({ from, to }) => sql`${at} >= ${from}::timestamptz and ${at} < ${to}::timestamptz`);
    return each.length === 0 ? sql`false` : sql`(${sql.join(each, sql` or `)})`;
  };
  return sql`
    with made as materialized (
      select d.id, d.case_id, d.decided_at, d.action, d.rule, d.proposal_digest, c.source,
        case when d.decided_by like 'person:%' then 'person' else 'policy' end as decider,
        d.itineraries #>> '{booked,segments,0,marketingCarrier}' as airline,
        first.at as first_at,
        first.id = d.id as is_first
      from skedchange.decisions d
      join skedchange.cases c on c.id = d.case_id
      left join lateral (
        select f.id, f.decided_at as at from skedchange.decisions f
        where f.case_id = d.case_id and f.proposal_digest = d.proposal_digest
        order by f.decided_at, f.id limit 1
      ) first on true
      where ${isWithin(sql`d.decided_at`)}
    ),
    settled as (
      select * from made where decider = 'person' and action in ('accept', 'cancel', 'none')
    ),
    ended as (
      select e.finished_at, e.source, e.action, e.state, e.expected_refund, e.results
      from skedchange.effects e where ${isWithin(sql`e.finished_at`)}
    ),
    refunds as (
      select finished_at, source, coalesce(expected_refund ->> 'currency', '') as currency,
        (expected_refund ->> 'amount')::numeric as expected, ${refundedAmount}::numeric as answered
      from ended where action = 'cancel' and state = 'succeeded'
    ),
    timed as (
      select decided_at, source, decider, since.at as since
      from made
      cross join lateral (
        select max(n.notification_received_at) as at from skedchange.case_notifications n
        where n.case_id = made.case_id and n.notification_received_at <= made.first_at
      ) since
      where is_first and decider = 'policy' and action in ('accept', 'cancel')
        or (decider, action) in (('person', 'accept'), ('person', 'cancel'), ('person', 'none'))
          and not exists (
            select from skedchange.decisions earlier
            where earlier.case_id = made.case_id and earlier.proposal_digest = made.proposal_digest
              and earlier.decided_by like 'person:%' and earlier.action in ('accept', 'cancel', 'none')
              and (earlier.decided_at, earlier.id) < (made.decided_at, made.id)
          )
    ),
    happened (at, source, figure, name, part, value) as (
      select n.received_at, n.source, 'notification', '', '', 1::numeric
      from skedchange.notifications n where ${isWithin(sql`n.received_at`)}
      union all
      select decided_at, source, 'decision', decider, '', 1 from made
      union all
      select decided_at, source, 'proposal', action, '', 1 from made where is_first
      union all
      select decided_at, source, 'airline', coalesce(airline, ''), action, 1 from made where is_first
      union all
      select decided_at, source, 'review', rule, '', 1
      from made
      where decider = 'policy' and action = 'review' and not exists (
        select from skedchange.decisions earlier
        where earlier.case_id = made.case_id and earlier.action = 'review' and earlier.rule = made.rule
          and earlier.proposal_digest is not distinct from made.proposal_digest
          and (earlier.decided_at, earlier.id) < (made.decided_at, made.id)
      )
      union all
      select decided_at, source, 'answer', asked.rule, action, 1
      from settled
      cross join lateral (
        select review.rule from skedchange.decisions review
        where review.case_id = settled.case_id and review.action = 'review' and review.decided_by not like 'person:%'
          and review.proposal_digest is not distinct from settled.proposal_digest
          and (review.decided_at, review.id) < (settled.decided_at, settled.id)
        order by review.decided_at desc, review.id desc limit 1
      ) asked
      union all
      select decided_at, source, 'time', decider, ${bucketOf(sql`decided_at - since`)}::text, 1
      from timed where since is not null
      union all
      select e.at, c.source, 'overdue', '', '', 1
      from skedchange.case_events e join skedchange.cases c on c.id = e.case_id
      where e.kind = 'case.overdue' and ${isWithin(sql`e.at`)}
      union all
      select finished_at, source, 'effect', action, state, 1 from ended
      union all
      select finished_at, source, 'refund', currency, 'cancels', 1 from refunds
      union all
      select finished_at, source, 'refund', currency, 'expected', expected from refunds where expected is not null
      union all
      select finished_at, source, 'refund', currency, 'answered', answered from refunds where answered is not null
      union all
      select finished_at, source, 'refund', currency, 'stated', 1 from refunds where answered is not null
    )
    select date_trunc('hour', at, 'UTC') as hour, source, figure, name, part, sum(value) as value
    from happened
    group by 1, 2, 3, 4, 5`;
}

const shortestSeconds = 0.1;

function bucketOf(time: Sql): Sql {
  const seconds = sql`greatest(extract(epoch from ${time})::float8, ${sql.lit(shortestSeconds)}::float8)`;
  return sql`floor(ln(${seconds}) / ln(2::float8) * ${sql.lit(timeBucketsPerDoubling)})::integer`;
}
