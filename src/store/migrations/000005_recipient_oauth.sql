-- Recipients that are sent an access token, and what went wrong in an attempt in words.

alter table gateway.recipients drop constraint recipients_auth_type_is_known;
alter table gateway.recipients add constraint recipients_auth_type_is_known
  check (auth_type in ('basic', 'bearer', 'oauth'));

-- The code alone does not tell which host could not be reached, or what a token endpoint had against its client.
alter table gateway.attempts add column error_message text
  constraint attempts_error_message_length check (char_length(error_message) <= 1000);
grant update (error_message) on gateway.attempts to skedchange_service;
