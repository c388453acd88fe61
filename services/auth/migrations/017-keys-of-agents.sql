-- Conversations that visitors start with a public Agent are attributed to a key with the id of the Agent. It has no value, and
-- is neither listed nor audited.
alter table api_keys add column of_agent boolean not null default false;

drop trigger audit_created on api_keys;
create trigger audit_created after insert on api_keys for each row
  when (new.person_id is null and not new.of_agent) execute function audit_api_key();
