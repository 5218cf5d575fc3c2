-- From now on the question is read. A process of the version before 21 may have gone on deciding while 21 was applied, so what
-- it wrote is named once more.

alter table skedchange.decisions disable trigger decisions_superseded_once;

update skedchange.decisions d set question = named.question
from (values
  ('check:effect', 'effect-outcome'),
  ('check:status', 'unreadable-status'),
  ('check:gateway', 'unreachable-gateway'),
  ('check:processing', 'failed-processing'),
  ('check:proposal-changed', 'proposal-changed'),
  ('check:status-says-more', 'status-says-more'),
  ('check:traveller-answered', 'traveller-answered'),
  ('check:person-decided', 'person-decided')
) as named (rule, question)
where d.rule = named.rule and d.question is null;

alter table skedchange.decisions enable trigger decisions_superseded_once;
