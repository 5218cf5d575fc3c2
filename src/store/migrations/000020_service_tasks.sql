-- After an accept: seats, bags, meals and other services that were bought for the flights as they were.

alter table skedchange.tasks
  drop constraint tasks_kind_is_known,
  add constraint tasks_kind_is_known check (kind in ('check-ticket', 'check-refund', 'check-services'));
