import { sql } from "../database/sql.ts";

/** Amounts in any other form can't be added up. */
const decimalPattern = "^-?[0-9]{1,30}(\\.[0-9]{1,30})?$";

/** The refund that the gateway stated in the column `results` of an effect, as text; null if none can be read. */
export const refundedAmount = sql`(
  select case when bool_and(amount ~ ${sql.lit(decimalPattern)})
    then sum(case when amount ~ ${sql.lit(decimalPattern)} then amount::numeric end)::text end
  from jsonb_path_query(coalesce(results, '[]'), '$[*].refundAmount') as named,
    lateral (select named #>> '{}' as amount) as told
  where amount <> ''
)`;
