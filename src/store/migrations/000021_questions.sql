-- What a person is asked by a decision that is not for rules. Until now only the name of the rule told.

alter table skedchange.decisions
  add column question text,
  add constraint decisions_question_is_known check (question in (
    'effect-outcome', 'unreadable-status', 'unreachable-gateway', 'failed-processing',
    'proposal-changed', 'status-says-more', 'traveller-answered', 'person-decided'
  ));

-- Adding what a decision asked rewrites nothing of it.
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
where d.rule = named.rule;

alter table skedchange.decisions enable trigger decisions_superseded_once;
