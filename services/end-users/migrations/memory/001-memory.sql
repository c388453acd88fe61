-- What Agents have learned of end users, a fact a row.
create table memories (
  workspace_id uuid not null,
  id uuid not null default gen_random_uuid(),
  end_user_id uuid not null,
  agent_id uuid not null,
  text text not null,
  -- SHA-256 of the text without what makes no difference to its meaning.
  sameness bytea not null check (length(sameness) = 32),
  session_id uuid not null,
  -- Of the conversation it was learned in, which may be deleted before it.
  message_id uuid,
  created_at timestamptz not null default clock_timestamp(),
  primary key (workspace_id, id),
  unique (workspace_id, end_user_id, agent_id, sameness)
);

create index on memories (workspace_id, end_user_id, created_at, id);

-- When somebody was last forgotten. It stands until no conversation goes on any more that was going on then.
create table forgotten (
  workspace_id uuid not null,
  end_user_id uuid not null,
  -- The nil UUID for all Agents.
  agent_id uuid not null,
  forgotten_at timestamptz not null,
  primary key (workspace_id, end_user_id, agent_id)
);

create index on forgotten (workspace_id, forgotten_at);

alter table memories enable row level security;
alter table memories force row level security;
create policy of_workspace on memories using (
  workspace_id = nullif(current_setting('parlance.workspace_id', true), '')::uuid
  or current_setting('parlance.every_workspace', true) = 'on');

alter table forgotten enable row level security;
alter table forgotten force row level security;
create policy of_workspace on forgotten using (
  workspace_id = nullif(current_setting('parlance.workspace_id', true), '')::uuid
  or current_setting('parlance.every_workspace', true) = 'on');
