create table endpoints (
  workspace_id uuid not null,
  id uuid not null default gen_random_uuid(),
  url text not null,
  events text[] not null,
  description text not null,
  enabled boolean not null default true,
  -- Why it is not enabled: a client has disabled it, or it has failed for too long.
  disabled_reason text check (disabled_reason in ('requested', 'failing')),
  disabled_at timestamptz(3),
  -- The first failure since the last success.
  failing_since timestamptz(3),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz(3) not null default now(),
  primary key (workspace_id, id),
  check (enabled = (disabled_reason is null) and enabled = (disabled_at is null))
);

create index on endpoints (workspace_id, created_at, id);

-- Secrets are sealed. The newest has no end; those before it sign as well until they expire.
create table secrets (
  workspace_id uuid not null,
  endpoint_id uuid not null,
  id uuid not null default gen_random_uuid(),
  sealed text not null,
  -- The version of the pepper that its key is derived from.
  pepper_version integer not null,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz(3),
  primary key (workspace_id, endpoint_id, id),
  foreign key (workspace_id, endpoint_id) references endpoints on delete cascade
);

-- What happened, once for each id. The body is stored as it is sent, so that each attempt signs the same bytes.
create table events (
  workspace_id uuid not null,
  id uuid not null,
  type text not null,
  body text not null,
  created_at timestamptz(3) not null,
  primary key (workspace_id, id)
);

create index on events (created_at);

create table deliveries (
  workspace_id uuid not null,
  id uuid not null default gen_random_uuid(),
  endpoint_id uuid not null,
  event_id uuid not null,
  status text not null default 'pending' check (status in ('pending', 'succeeded', 'failed')),
  -- Counts the jobs that were made for it. A job of an earlier number does nothing.
  run integer not null default 1,
  -- Since the schedule began, which a replay begins again.
  failures integer not null default 0,
  next_attempt_at timestamptz(3),
  created_at timestamptz not null default clock_timestamp(),
  primary key (workspace_id, id),
  unique (workspace_id, endpoint_id, event_id),
  check ((status = 'pending') = (next_attempt_at is not null)),
  foreign key (workspace_id, endpoint_id) references endpoints on delete cascade,
  foreign key (workspace_id, event_id) references events on delete cascade
);

create index on deliveries (workspace_id, endpoint_id, created_at, id);
create index on deliveries (workspace_id, event_id);

create table attempts (
  workspace_id uuid not null,
  delivery_id uuid not null,
  id uuid not null default gen_random_uuid(),
  attempted_at timestamptz(3) not null,
  duration_ms integer not null,
  -- The status of the answer, and the beginning of its body. Null where there was no answer.
  status integer,
  response text,
  -- Why it failed; null for a success.
  error text,
  primary key (workspace_id, delivery_id, id),
  foreign key (workspace_id, delivery_id) references deliveries on delete cascade
);

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

alter table endpoints enable row level security;
alter table endpoints force row level security;
create policy of_workspace on endpoints using (
  workspace_id = nullif(current_setting('parlance.workspace_id', true), '')::uuid
  or current_setting('parlance.every_workspace', true) = 'on');

alter table secrets enable row level security;
alter table secrets force row level security;
create policy of_workspace on secrets using (
  workspace_id = nullif(current_setting('parlance.workspace_id', true), '')::uuid
  or current_setting('parlance.every_workspace', true) = 'on');

alter table events enable row level security;
alter table events force row level security;
create policy of_workspace on events using (
  workspace_id = nullif(current_setting('parlance.workspace_id', true), '')::uuid
  or current_setting('parlance.every_workspace', true) = 'on');

alter table deliveries enable row level security;
alter table deliveries force row level security;
create policy of_workspace on deliveries using (
  workspace_id = nullif(current_setting('parlance.workspace_id', true), '')::uuid
  or current_setting('parlance.every_workspace', true) = 'on');

alter table attempts enable row level security;
alter table attempts force row level security;
create policy of_workspace on attempts using (
  workspace_id = nullif(current_setting('parlance.workspace_id', true), '')::uuid
  or current_setting('parlance.every_workspace', true) = 'on');

alter table outbox enable row level security;
alter table outbox force row level security;
create policy of_workspace on outbox using (
  workspace_id = nullif(current_setting('parlance.workspace_id', true), '')::uuid
  or current_setting('parlance.every_workspace', true) = 'on');
