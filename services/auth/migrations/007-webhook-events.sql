-- What other services must learn of. A row is written in the transaction of what happened, and removed once it was received.
create table outbox (
  workspace_id uuid not null,
  id uuid not null default gen_random_uuid(),
  destination text not null,
  payload json not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (id)
);

create index on outbox (destination, created_at, id);

alter table outbox enable row level security;
alter table outbox force row level security;
create policy of_workspace on outbox using (
  workspace_id = nullif(current_setting('parlance.workspace_id', true), '')::uuid
  or current_setting('parlance.every_workspace', true) = 'on');

-- A key that is revoked is an event of webhooks. Keys of members have no value, and come and go with the membership.
create function announce_revoked_key() returns trigger language plpgsql as $$
declare
  workspace_before text := coalesce(current_setting('parlance.workspace_id', true), '');
begin
  perform set_config('parlance.workspace_id', new.workspace_id::text, true);
  insert into outbox (workspace_id, destination, payload) values (new.workspace_id, 'webhooks', json_build_object(
    'type', 'api_key.revoked',
    'data', json_build_object('key_id', new.id, 'label', new.label, 'prefix', new.prefix)));
  perform set_config('parlance.workspace_id', workspace_before, true);
  return null;
end
$$;

create trigger announce_revoked after update of revoked_at on api_keys for each row
  when (new.person_id is null and old.revoked_at is null and new.revoked_at is not null)
  execute function announce_revoked_key();
