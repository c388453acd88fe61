-- The calls of tools. They hold what users said, so they are stored where messages are stored, and removed with them.
create table tool_calls (
  workspace_id uuid not null,
  session_id uuid not null,
  -- Counts the calls of a conversation from 0, in the order in which they ended.
  position integer not null,
  id uuid not null,
  -- The message of the agent that the call belongs to, which has no row when nothing of it was played.
  message_id uuid not null,
  name text not null,
  -- Not jsonb, which has no place for every text that is JSON.
  arguments json not null,
  -- Null when the call was interrupted.
  result text,
  outcome text not null check (outcome in ('succeeded', 'failed', 'interrupted')),
  started_at timestamptz(3) not null,
  duration_ms real not null,
  -- Of the name, the arguments and the result.
  bytes integer not null,
  primary key (workspace_id, session_id, position),
  foreign key (workspace_id, session_id) references sessions on delete cascade
);

alter table tool_calls enable row level security;
alter table tool_calls force row level security;
create policy of_workspace on tool_calls using (
  workspace_id = nullif(current_setting('parlance.workspace_id', true), '')::uuid
  or current_setting('parlance.every_workspace', true) = 'on');
