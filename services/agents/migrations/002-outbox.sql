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
