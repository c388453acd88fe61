-- Whose usage the analysis of a conversation is, and by which model. Null in conversations from before.
alter table sessions add column key_id uuid, add column llm_provider text, add column llm_model text;

-- What is judged after the conversations of an Agent. An Agent without a row has nothing to be judged.
create table evaluations (
  workspace_id uuid not null,
  agent_id uuid not null,
  -- Not jsonb, which has no place for every text that is JSON.
  evaluation json not null,
  primary key (workspace_id, agent_id)
);

-- Analyses of conversations that have ended. A pending one is due at next_attempt_at; an instance that attempts it moves that
-- beyond the longest duration of an attempt, so that another attempt follows if the instance stops.
create table analyses (
  workspace_id uuid not null,
  session_id uuid not null,
  -- As it was when the conversation ended.
  evaluation json not null,
  status text not null default 'pending' check (status in ('pending', 'succeeded', 'failed')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default clock_timestamp(),
  -- The judged criteria and the extracted data, once it has succeeded.
  result json,
  error text,
  analyzed_at timestamptz(3),
  primary key (workspace_id, session_id),
  foreign key (workspace_id, session_id) references sessions on delete cascade
);

create index on analyses (next_attempt_at) where status = 'pending';

alter table evaluations enable row level security;
alter table evaluations force row level security;
create policy of_workspace on evaluations using (
  workspace_id = nullif(current_setting('parlance.workspace_id', true), '')::uuid
  or current_setting('parlance.every_workspace', true) = 'on');

alter table analyses enable row level security;
alter table analyses force row level security;
create policy of_workspace on analyses using (
  workspace_id = nullif(current_setting('parlance.workspace_id', true), '')::uuid
  or current_setting('parlance.every_workspace', true) = 'on');

-- A conversation that was connected and ends is analyzed, whichever statement ends it.
create function request_analysis() returns trigger language plpgsql as $$
begin
  insert into analyses (workspace_id, session_id, evaluation)
  select new.workspace_id, new.id, e.evaluation from evaluations e
  where e.workspace_id = new.workspace_id and e.agent_id = new.agent_id
  on conflict do nothing;
  return null;
end
$$;

create trigger request_analysis after update of status on sessions for each row
  when (old.status not in ('ended', 'failed') and new.status in ('ended', 'failed') and new.started_at is not null)
  execute function request_analysis();
